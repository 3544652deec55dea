import { checksApi } from '#domain/verification/checks-contract.ts';

/** The lists and records to refetch after an admin has decided on a document. */
export const readByAdmins = [
  checksApi.getCoach,
  checksApi.listWaiting,
  checksApi.listCoaches,
  checksApi.previewPolicy,
] as const;
