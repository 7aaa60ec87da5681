/** A machine's own API as it sees it: a probe that must succeed, so that the failure of another one means something. */
export const ownProbe = '127.0.0.1:50000'
