import type { BackendGroup } from "@palisade/contract/http/backends";
import type { AccountState } from "../stub-api/account-state.ts";

/** No server of the shield has been proven. */
export function leaveUnproven(state: AccountState, game: BackendGroup["game"] = "minecraft"): void {
  const proof = { proven: false, by: null, proven_at: null };
  state.backends = {
    ...state.backends,
    backends: state.backends.backends.map((group) => ({
      ...group,
      game,
      ips: group.ips.map((server) => ({ ...server, proof })),
    })),
  };
}
