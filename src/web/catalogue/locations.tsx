import MapPin from 'lucide-react/icons/map-pin';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';
import { catalogueApi, type Location } from '#domain/catalogue/contract.ts';
import { formatAddress } from '#domain/location-text.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { LocationForm } from './location-form.tsx';

/** Lists the locations where the coach teaches, with buttons to add, edit and delete them. */
export default function LocationsScreen() {
  const query = useApi(catalogueApi.listLocations, {});
  const edited = useDialogItem<Location>();
  const itemToDelete = useDialogItem<Location>();
  const addButton = (
    <Button onClick={() => edited.open(null)}>
      <Plus aria-hidden />
      Add a location
    </Button>
  );
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-2 gap-y-4">
        <h1>Your Locations</h1>
        {query.data && query.data.locations.length > 0 && addButton}
      </div>
      <QueryView
        query={query}
        failure="Failed to load locations"
        skeleton={<SkeletonRows label="Loading locations..." />}
        isEmpty={({ locations }) => locations.length === 0}
        empty={
          <EmptyState title="No locations yet" action={addButton}>
            Add the courts, pitches and pools where you teach.
          </EmptyState>
        }
      >
        {({ locations }) => (
          <ul className="divide-y border-y">
            {locations.map((location) => (
              <li key={location.locationId} className="flex items-center gap-3 py-3">
                <MapPin aria-hidden className="size-5 shrink-0 text-muted-foreground" />
                <div className="min-w-0 grow">
                  <h2 className="text-base font-medium">{location.name}</h2>
                  <p className="text-sm text-muted-foreground">{formatAddress(location)}</p>
                </div>
                <div className="-mr-2 flex shrink-0">
                  <Button
                    variant="ghost"
                    size="icon"
                    aria-label={`Edit ${location.name}`}
                    onClick={() => edited.open(location)}
                  >
                    <Pencil aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="icon"
                    aria-label={`Delete ${location.name}`}
                    onClick={() => itemToDelete.open(location)}
                  >
                    <Trash aria-hidden />
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <LocationDialog isOpen={edited.isOpen} location={edited.item} onClose={edited.close} />
      <DeleteLocationDialog
        isOpen={itemToDelete.isOpen}
        location={itemToDelete.item}
        onClose={itemToDelete.close}
      />
    </>
  );
}

type LocationDialogProps = { isOpen: boolean; location: Location | null; onClose: () => void };

function LocationDialog({ isOpen, location, onClose }: LocationDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={onClose}>
      <DialogContent
        title={location ? 'Edit location' : 'Add a location'}
        description={location ? 'Lessons at this location show the change immediately.' : undefined}
      >
        <LocationForm location={location} onSaved={onClose}>
          {(fields, isSaving) => (
            <>
              <DialogBody>{fields}</DialogBody>
              <DialogFooter>
                <DialogClose asChild>
                  <Button variant="secondary">Cancel</Button>
                </DialogClose>
                <Button type="submit" isLoading={isSaving} loadingText="Saving...">
                  Save location
                </Button>
              </DialogFooter>
            </>
          )}
        </LocationForm>
      </DialogContent>
    </Dialog>
  );
}

function DeleteLocationDialog({ isOpen, location, onClose }: LocationDialogProps) {
  return (
    <DeleteDialog
      isOpen={isOpen}
      onClose={onClose}
      endpoint={catalogueApi.deleteLocation}
      itemToDelete={location && { input: { locationId: location.locationId }, name: location.name }}
      list={catalogueApi.listLocations}
      done="Location deleted"
    >
      <p>This location will be removed from your list. Lessons already published there won't change.</p>
    </DeleteDialog>
  );
}
