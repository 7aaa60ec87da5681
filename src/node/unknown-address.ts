/** Placeholder in a plan for an address that DHCP has not assigned yet. */
export const unknownAddress = '0.0.0.0'
