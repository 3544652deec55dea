import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { authApi } from '#domain/auth/contract.ts';
import type { AppError } from '#domain/errors.ts';
import { formatDay } from '#domain/time.ts';
import { callApi, invalidate, useApi } from '#web/app/api/api.ts';
import { useProduct } from '#web/app/api/product.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Skeleton } from '#web/ui/page/skeleton.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { CodeField, readCode } from '../sign-in/code-field.tsx';
import { runConfirmed } from './confirm-identity.tsx';

/** Creates recovery codes. `code`: the app's code, not needed right after the app has been set up. Throws `AppError`. */
export async function makeCodes(code?: string): Promise<string[]> {
  return (await callApi(authApi.makeRecoveryCodes, code ? { code } : {})).codes;
}

/** Shows how many recovery codes are left. Creates new codes, shown only once, and passes them to `onMade`. */
export function RecoveryCodes({ onMade }: { onMade: (codes: string[]) => void }) {
  const query = useApi(authApi.getRecoveryCodes, {});
  const [isMaking, setIsMaking] = useState(false);
  return (
    <QueryView
      query={query}
      isPart
      failure="We couldn't load your recovery codes"
      skeleton={<Skeleton className="h-10 w-64" />}
    >
      {({ left, madeAt }) => (
        <div className="flex w-full flex-col items-start gap-4">
          <h3 className="text-base font-medium">Recovery codes</h3>
          <p className={left < 3 ? 'text-warning' : 'text-muted-foreground'}>
            {madeAt === null
              ? "You have no recovery codes yet. Without them, you can't sign in if you lose your phone."
              : `${left || 'None'} of 10 left, created ${formatDay(madeAt, Date.now())}. Each can be used once to sign in without your phone.`}
          </p>
          {isMaking ? (
            <NewCodesForm onMade={onMade} onCancel={() => setIsMaking(false)} />
          ) : (
            <Button variant="secondary" onClick={() => setIsMaking(true)}>
              {madeAt === null ? 'Create recovery codes' : 'Create new codes'}
            </Button>
          )}
        </div>
      )}
    </QueryView>
  );
}

function NewCodesForm({ onMade, onCancel }: { onMade: (codes: string[]) => void; onCancel: () => void }) {
  const client = useQueryClient();
  const form = useForm<{ code: string }>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);

  async function submit({ code }: { code: string }) {
    let codes: string[] = [];
    const refused = await runConfirmed(() =>
      makeCodes(readCode(code)).then(
        (made) => {
          codes = made;
          return null;
        },
        (error: AppError) => error,
      ),
    );
    if (refused === 'given up') return;
    if (refused) return showRefusal(refused, 'code');
    await invalidate(client, [authApi.getRecoveryCodes]);
    onMade(codes);
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="flex w-full flex-col gap-4">
      <p>Any earlier codes will stop working. Enter the code from your authenticator app.</p>
      <CodeField error={errors.code?.message} register={register} />
      {notice}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isLoading={isSubmitting} loadingText="Creating...">
          Create ten codes
        </Button>
        <Button variant="secondary" onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Shows new codes, which are never shown again, and ways to save them. */
export function FreshCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { brand } = useProduct();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone, so the heading gets the focus.
  useEffect(() => heading.current?.focus(), []);
  const text = `Recovery codes for ${brand}\n\n${codes.join('\n')}\n\nEach can be used once instead of your authenticator app.\n`;

  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toastSuccess('Codes copied', 'Paste them into your password manager.');
    } catch {
      toastError("We couldn't copy the codes. Download them instead.");
    }
  }

  return (
    <div className="flex w-full flex-col items-start gap-4">
      <h3 ref={heading} tabIndex={-1} className="text-base font-medium outline-none">
        Your recovery codes
      </h3>
      <p>
        Keep these codes somewhere safe, such as in a password manager or a locked drawer. If you lose your
        phone, you can use each code once to sign in. You won't see the codes here again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="print-alone grid w-full grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-x-6 gap-y-2 rounded-lg border bg-card p-4 font-mono text-sm md:p-5"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          onClick={() => {
            saveFile({ name: `${brand.toLowerCase()}-recovery-codes.txt`, type: 'text/plain', text });
            toastSuccess('Codes downloaded', 'Move the file somewhere safe.');
          }}
        >
          Download
        </Button>
        <Button variant="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onKept}>I've saved them</Button>
      </div>
    </div>
  );
}
