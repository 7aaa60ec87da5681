export { type Candidate, type CandidateReason, type CandidateSigns, findCandidates } from './candidates.js'
export { heldPart, identityOfVm, type SeenIdentity } from './identity-of-vm.js'
export { type Mark, readMark, writeMark } from './mark.js'
export { type NotOurs, type Ownership, proveOwnership } from './proof.js'
