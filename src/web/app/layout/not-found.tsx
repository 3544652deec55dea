import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { HomeLink } from './brand-link.tsx';

/** The page for every URL without a page. */
export function NotFoundScreen() {
  return (
    <div className="flex grow flex-col items-center justify-center py-10">
      <EmptyState
        titleAs="h1"
        title="Oops! Page not found"
        action={
          <Button asChild>
            <HomeLink>Return to home</HomeLink>
          </Button>
        }
      >
        The address may have been mistyped, or the page has moved.
      </EmptyState>
    </div>
  );
}
