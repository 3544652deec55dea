import CalendarSync from 'lucide-react/icons/calendar-sync';
import { Suspense, useState } from 'react';
import type { FeedScope } from '#domain/bookings/calendar-rules.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';

const SubscribeDialog = lazyPart(() => import('./subscribe-dialog.tsx'), 'SubscribeDialog');

/** A button that opens {@link SubscribeDialog}. On phones it shows only its icon. */
export function SubscribeButton({ scope }: { scope: FeedScope }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" className="max-md:size-11 max-md:px-0" onClick={() => setIsOpen(true)}>
        <CalendarSync aria-hidden />
        <span className="max-md:sr-only">Subscribe</span>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <SubscribeDialog scope={scope} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
