import type { ReactNode } from 'react';
import type { OpenSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { DialogBody } from '#web/ui/overlay/dialog.tsx';
import { type QueryState, QueryView } from '#web/ui/page/query-view.tsx';

type OpenSlotViewProps = {
  query: QueryState<OutputOf<typeof slotsApi.getOpenSlot>>;
  skeleton: ReactNode;
  children: (slot: OpenSlot) => ReactNode;
};

/** Shows a lesson in a dialog, or a message if the lesson does not exist or could not be fetched. */
export function OpenSlotView({ query, skeleton, children }: OpenSlotViewProps) {
  return (
    <QueryView
      query={query}
      isPart
      failure="Failed to load the lesson"
      frame={(failure) => <DialogBody>{failure}</DialogBody>}
      skeleton={skeleton}
      missing={
        <DialogBody>
          <p className="text-sm">This lesson doesn't exist or is no longer offered.</p>
        </DialogBody>
      }
    >
      {({ slot }) => children(slot)}
    </QueryView>
  );
}
