import { useQuery } from '@tanstack/react-query';
import { defaultBrand } from '#domain/default-brand.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { callApi, keyOf } from './api.ts';

type Product = OutputOf<typeof settingsApi.getProduct>;

/** The product's name as the server wrote it into the page; undefined without a page: on the server and in tests. */
const writtenName = () =>
  typeof document === 'object'
    ? document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content
    : undefined;
const untilKnown: Product = {
  brand: writtenName() || defaultBrand,
  isDemo: false,
  contactEmail: null,
  landingStats: [],
};

/** The product's public settings. Until they load, the name comes from the page and the rest are defaults. */
export function useProduct(): Product & { isKnown: boolean } {
  const { data, isPending } = useQuery({
    queryKey: keyOf(settingsApi.getProduct),
    queryFn: ({ signal }) => callApi(settingsApi.getProduct, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { ...(data ?? untilKnown), isKnown: !isPending };
}
