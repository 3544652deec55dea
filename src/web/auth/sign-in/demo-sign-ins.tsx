import { Link } from '@tanstack/react-router';
import { useProduct } from '#web/app/api/product.ts';
import { Button } from '#web/ui/button.tsx';

const password = 'demo-lesson-2026';
const people = [
  { name: 'Customer', email: 'customer@demo.test' },
  { name: 'Coach', email: 'coach@demo.test' },
  { name: 'Admin', email: 'admin@demo.test' },
];

/** In the demo only: lists accounts with which to try the product, and says where to find their emails. */
export function DemoSignIns({ onPick }: { onPick: (email: string, password: string) => void }) {
  const { isDemo } = useProduct();
  if (!isDemo) return null;
  return (
    <section aria-label="Demo accounts" className="mt-7 border-t pt-5 text-sm">
      <p className="text-muted-foreground">
        This is a demo. Sign in with any of these accounts. The password is{' '}
        <code className="font-medium text-foreground">{password}</code>.
      </p>
      <div className="mt-3 grid grid-cols-3 gap-2">
        {people.map(({ name, email }) => (
          <Button key={email} variant="secondary" size="sm" onClick={() => onPick(email, password)}>
            {name}
          </Button>
        ))}
      </div>
      <p className="mt-3 text-muted-foreground">
        Emails aren't really delivered. You'll find them in the{' '}
        <Link to="/demo/outbox" className="text-primary underline underline-offset-4">
          demo mailbox
        </Link>
        .
      </p>
    </section>
  );
}
