import type { BackendPorts } from "@palisade/contract/backend-ports";

/** For tests whose backends may have any port. */
export const anyPort: BackendPorts = { allowed: [{ first: 1, last: 65_535 }], refused: [] };
