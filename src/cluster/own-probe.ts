/**
 * A machine's own API from its point of view: this probe must succeed, so that the failure of another one is
 * meaningful.
 */
export const ownProbe = '127.0.0.1:50000'
