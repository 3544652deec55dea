import { useQuery } from '@tanstack/react-query';
import type { OutputOf } from '#domain/endpoint.ts';
import type { settingsApi } from '#domain/settings/contract.ts';
import { callApi } from './api.ts';

type Product = OutputOf<typeof settingsApi.getProduct>;

const untilKnown: Product = { brand: 'Touchline', isDemo: false, landingStats: [] };

/** Name of the product, whether this is the demo, and the landing page's figures; plain defaults until they arrive. */
export function useProduct(): Product & { isKnown: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['get_product'],
    queryFn: async ({ signal }) => {
      const { settingsApi } = await import('#domain/settings/contract.ts');
      return callApi(settingsApi.getProduct, {}, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { ...(data ?? untilKnown), isKnown: !isPending };
}
