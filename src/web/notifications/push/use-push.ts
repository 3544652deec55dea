import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Push, pushApi } from '#domain/notifications/push-contract.ts';
import { callApi, keyOf, useApi } from '#web/app/api/api.ts';
import { useProduct } from '#web/app/api/product.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';
import {
  isPermitted,
  type PushSupport,
  readPushSupport,
  subscribeAtStandIn,
  subscribeBrowser,
  unsubscribeBrowser,
  watchPermission,
} from './browser-push.ts';

/** The state of push in this browser, and functions to turn push on or off. Null while loading or without push keys. */
export function usePush() {
  const client = useQueryClient();
  const { isDemo } = useProduct();
  const { data } = useApi(pushApi.getPush, {});
  const [support, setSupport] = useState<PushSupport>(readPushSupport);
  useEffect(() => watchPermission(() => setSupport(readPushSupport())), []);
  const store = (push: { push: Push }) => {
    setSupport(readPushSupport());
    client.setQueryData(keyOf(pushApi.getPush, {}), push);
  };
  const failed = (message: string) => (error: Error) => {
    setSupport(readPushSupport());
    // Our own server's refusals are sentences; a browser's errors are for developers.
    toastError(error.name === 'AppError' ? error.message : message);
  };
  const turnOn = useMutation<{ push: Push } | null, Error, string>({
    mutationFn: async (publicKey) => {
      const subscription = await subscribeBrowser(publicKey).catch((error: unknown) => {
        if (isDemo && isPermitted()) return subscribeAtStandIn();
        throw error;
      });
      return subscription && callApi(pushApi.subscribe, subscription);
    },
    onSuccess: (push) => (push ? store(push) : setSupport(readPushSupport())),
    onError: failed("Your browser couldn't reach its push service. Please try again later."),
  });
  const turnOff = useMutation<{ push: Push }, Error, void>({
    mutationFn: async () => {
      const push = await callApi(pushApi.unsubscribe, {});
      await unsubscribeBrowser().catch(() => {});
      return push;
    },
    onSuccess: store,
    onError: failed("Push notifications couldn't be turned off. Please try again."),
  });
  const publicKey = data?.push.publicKey;
  if (!data || !publicKey) return null;
  const state: PushSupport | 'on' = support === 'off' && data.push.isOn && isPermitted() ? 'on' : support;
  return {
    state,
    turnOn: () => turnOn.mutate(publicKey),
    turnOff: () => turnOff.mutate(),
    isTurning: turnOn.isPending || turnOff.isPending,
  };
}
