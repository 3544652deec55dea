import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import type { AppError } from '#domain/errors.ts';
import { ownAccountApi } from '#domain/payouts/account-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { callApi } from '#web/app/api.ts';
import { useProduct } from '#web/app/product.ts';
import { saveFile } from '#web/app/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';

/** Hands a person everything that is kept of them as a JSON file. */
export function OwnData() {
  const { brand } = useProduct();
  const [isLoading, setIsLoading] = useState(false);

  async function download() {
    setIsLoading(true);
    try {
      const data = await callApi(ownAccountApi.getOwnData, {});
      const name = `${brand.toLowerCase()}-data-${wallTimeOf(data.madeAt).date}.json`;
      saveFile({ name, type: 'application/json', text: `${JSON.stringify(data, null, 2)}\n` });
      toastSuccess('Data downloaded', name);
    } catch (error) {
      toastError((error as AppError).message);
    }
    setIsLoading(false);
  }

  return (
    <Button
      variant="secondary"
      className="max-sm:w-full"
      onClick={() => void download()}
      isLoading={isLoading}
      loadingText="Collecting..."
    >
      <Download aria-hidden />
      Download your data
    </Button>
  );
}
