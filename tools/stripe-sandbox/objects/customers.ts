import type { Call, Execution } from '../api/call.ts';
import type { Params } from '../api/params.ts';
import { missingResource } from '../api/stripe-error.ts';
import type { Store } from '../store.ts';
import { type Customer, newId, nowSeconds } from './records.ts';

const known = ['description', 'email', 'invoice_settings', 'metadata', 'name', 'phone'];

export function createCustomer({ params }: Call): Execution {
  const fields = readFields(params.allow(known));
  const [metadata, settings] = [params.metadata(), readInvoiceSettings(params)];
  return (change) => {
    const customer = change.put<Customer>({
      id: newId('cus'),
      object: 'customer',
      address: null,
      balance: 0,
      created: nowSeconds(),
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: null,
      invoice_prefix: newId('x').slice(2, 10).toUpperCase(),
      livemode: false,
      name: null,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
      ...fields,
      metadata,
      invoice_settings: settings,
    });
    change.emit('customer.created', customer);
    return customer;
  };
}

export function updateCustomer({ store, id, params }: Call): Execution {
  findCustomer(store, id, 'id');
  const fields = readFields(params.allow(known));
  const metadata = params.metadata();
  const settings = params.has('invoice_settings') && { invoice_settings: readInvoiceSettings(params) };
  return (change) => {
    const before = findCustomer(change.store, id, 'id');
    const customer = change.put<Customer>({
      ...before,
      ...fields,
      metadata: { ...before.metadata, ...metadata },
      ...settings,
    });
    change.emit('customer.updated', customer);
    return customer;
  };
}

function readFields(params: Params) {
  const fields: Partial<Pick<Customer, 'description' | 'email' | 'name' | 'phone'>> = {};
  for (const name of ['description', 'email', 'name', 'phone'] as const) {
    if (params.has(name)) fields[name] = params.text(name);
  }
  return fields;
}

function readInvoiceSettings(params: Params): Customer['invoice_settings'] {
  const settings = params.nested('invoice_settings')?.allow(['default_payment_method']);
  return {
    custom_fields: null,
    default_payment_method: settings?.text('default_payment_method') ?? null,
    footer: null,
    rendering_options: null,
  };
}

export function retrieveCustomer({ store, id }: Call): object {
  const customer = store.customers.get(id);
  return customer?.deleted ? viewDeleted(customer) : findCustomer(store, id, 'id');
}

/** The only fields that Stripe returns for a deleted customer. */
export const viewDeleted = ({ id, object }: Customer) => ({ id, object, deleted: true });

/** Throws `resource_missing` for an unknown or deleted customer, naming the parameter that holds the id. */
export function findCustomer(store: Store, id: string, param: string): Customer {
  const customer = store.customers.get(id);
  if (!customer || customer.deleted) throw missingResource('customer', id, param);
  return customer;
}
