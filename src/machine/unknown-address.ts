/** Stands in a plan for an address that DHCP has not given yet. */
export const unknownAddress = '0.0.0.0'
