import Download from 'lucide-react/icons/download';
import { Button } from './button.tsx';

/** Downloads what a list shows as CSV; `isPending` while the file is made. */
export function ExportButton({ isPending, onExport }: { isPending: boolean; onExport: () => void }) {
  return (
    <Button variant="secondary" size="sm" onClick={onExport} isLoading={isPending} loadingText="Preparing...">
      <Download aria-hidden />
      Export CSV
    </Button>
  );
}
