import { retrieveCharge } from '../objects/charges.ts';
import { createCustomer, retrieveCustomer, updateCustomer } from '../objects/customers.ts';
import { deleteCustomer } from '../objects/delete-customer.ts';
import { listDisputes, retrieveDispute, updateDispute } from '../objects/disputes.ts';
import { listEvents, retrieveEvent } from '../objects/events.ts';
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  listPaymentIntents,
  retrievePaymentIntent,
} from '../objects/payment-intents.ts';
import {
  attachPaymentMethod,
  createPaymentMethod,
  detachPaymentMethod,
  listPaymentMethods,
  retrievePaymentMethod,
} from '../objects/payment-methods.ts';
import { createRefund, listRefunds, retrieveRefund } from '../objects/refunds.ts';
import {
  cancelSetupIntent,
  confirmSetupIntent,
  createSetupIntent,
  retrieveSetupIntent,
} from '../objects/setup-intents.ts';
import type { Call, Execution } from './call.ts';

export type Route =
  | { read: (call: Call) => object; write?: undefined; isPublic?: boolean; movesMoney?: undefined }
  | { write: (call: Call) => Execution; read?: undefined; isPublic?: boolean; movesMoney?: boolean };

const routes: Record<string, Route> = {
  'POST /v1/customers': { write: createCustomer },
  'GET /v1/customers/:id': { read: retrieveCustomer },
  'POST /v1/customers/:id': { write: updateCustomer },
  'DELETE /v1/customers/:id': { write: deleteCustomer },
  'GET /v1/customers/:id/payment_methods': { read: listPaymentMethods },
  'POST /v1/setup_intents': { write: createSetupIntent },
  'GET /v1/setup_intents/:id': { read: retrieveSetupIntent, isPublic: true },
  'POST /v1/setup_intents/:id/confirm': { write: confirmSetupIntent, isPublic: true },
  'POST /v1/setup_intents/:id/cancel': { write: cancelSetupIntent },
  'GET /v1/payment_methods': { read: listPaymentMethods },
  'POST /v1/payment_methods': { write: createPaymentMethod, isPublic: true },
  'GET /v1/payment_methods/:id': { read: retrievePaymentMethod },
  'POST /v1/payment_methods/:id/attach': { write: attachPaymentMethod },
  'POST /v1/payment_methods/:id/detach': { write: detachPaymentMethod },
  'GET /v1/payment_intents': { read: listPaymentIntents },
  'POST /v1/payment_intents': { write: createPaymentIntent, movesMoney: true },
  'GET /v1/payment_intents/:id': { read: retrievePaymentIntent, isPublic: true },
  'POST /v1/payment_intents/:id/confirm': { write: confirmPaymentIntent, isPublic: true, movesMoney: true },
  'POST /v1/payment_intents/:id/cancel': { write: cancelPaymentIntent },
  'GET /v1/charges/:id': { read: retrieveCharge },
  'GET /v1/refunds': { read: listRefunds },
  'POST /v1/refunds': { write: createRefund, movesMoney: true },
  'GET /v1/refunds/:id': { read: retrieveRefund },
  'GET /v1/disputes': { read: listDisputes },
  'GET /v1/disputes/:id': { read: retrieveDispute },
  'POST /v1/disputes/:id': { write: updateDispute },
  'GET /v1/events': { read: listEvents },
  'GET /v1/events/:id': { read: retrieveEvent },
};

/** The route for a method and path, and the id in the path ('' if there is none); null without a route. */
export function findRoute(method: string, path: string): { route: Route; id: string } | null {
  const [, version, resource, id, ...rest] = path.split('/');
  const pattern = [version, resource, ...(id === undefined ? [] : [':id']), ...rest].join('/');
  const route = routes[`${method} /${pattern}`];
  return route ? { route, id: id ?? '' } : null;
}
