import {
  backendRoutes,
  type BackendGroup,
  type BackendServer,
} from "@palisade/contract/http/backends";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/** Looks for the proof now; what was found comes with the next answer about the groups. */
export function useProofCheck(shieldId: string, group: BackendGroup, server: BackendServer) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call(backendRoutes.checkBackendProof, {
        params: { id: shieldId, backendId: group.id, ipId: server.id },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ["servers", shieldId] }),
  });
}
