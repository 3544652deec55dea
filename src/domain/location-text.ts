type Address = { address: string; city: string; postcode: string };

/** "14 Park Road, Leeds, LS6 3AA": the known parts of an address, in the order used on an envelope. */
export const formatAddress = ({ address, city, postcode }: Address): string =>
  [address, city, postcode].filter(Boolean).join(', ');

/** The location's name, then its address; null means that the location is still to be agreed. */
export const formatLocation = (location: (Address & { name: string }) | null): string =>
  location ? `${location.name}, ${formatAddress(location)}` : 'To be agreed with the coach';
