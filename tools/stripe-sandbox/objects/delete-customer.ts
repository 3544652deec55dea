import type { Call, Execution } from '../api/call.ts';
import { findCustomer, viewDeleted } from './customers.ts';
import { detach } from './payment-methods.ts';
import type { Customer } from './records.ts';

/** Deletes a customer and detaches their payment methods. Intents and charges remain. */
export function deleteCustomer({ store, id, params }: Call): Execution {
  params.allow([]);
  findCustomer(store, id, 'id');
  return (change) => {
    const customer = findCustomer(change.store, id, 'id');
    for (const method of change.store.paymentMethods.ofOwner(id)) detach(change, method);
    const deleted = change.put<Customer>({
      ...customer,
      email: null,
      name: null,
      phone: null,
      deleted: true,
    });
    change.emit('customer.deleted', deleted);
    return viewDeleted(deleted);
  };
}
