import { useLingui } from "@lingui/react/macro";
import {
  backendRoutes,
  type BackendGroup,
  type Backends,
  type backendServerBody,
  type BackendServer,
} from "@palisade/contract/http/backends";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { toast } from "#src/ui/toasts.tsx";
import { ifMatch } from "../shield.queries.ts";
import type { Change } from "../receipt.tsx";
import { backendsQuery } from "./backends.queries.ts";
import type { GroupValues } from "./group-diff.ts";

export type ServerAddress = z.input<typeof backendServerBody>;

/** A server within its group. */
interface Placed {
  readonly group: BackendGroup;
  readonly server: BackendServer;
}

/** Changes a shield's groups. Each change ends in a receipt; a removed server can be restored. */
export function useBackends(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { queryKey } = backendsQuery(shieldId);
  const of = (group: Pick<BackendGroup, "id">) => ({ id: shieldId, backendId: group.id });
  // The origin rules depend on the groups' addresses and ports.
  const refresh = () => client.invalidateQueries({ queryKey: ["servers", shieldId] });

  async function done(label: string, revision: number, undo?: () => void) {
    onChange({ label, revision, ...(undo === undefined ? {} : { undo }) });
    await refresh();
  }

  const create = useMutation({
    mutationFn: (body: GroupValues) =>
      call(backendRoutes.createBackendGroup, { params: { id: shieldId }, body }),
    onSuccess: ({ data }) => done(t`Backend group created successfully`, data.revision),
  });

  const update = useMutation({
    mutationFn: (change: { group: BackendGroup; body: Partial<GroupValues> }) =>
      call(backendRoutes.updateBackendGroup, {
        params: of(change.group),
        body: change.body,
        headers: ifMatch(change.group.etag),
      }),
    onSuccess: ({ data }) => done(t`Backend group updated successfully`, data.revision),
  });

  function turnOnProxy(group: BackendGroup) {
    update.mutate(
      { group, body: { proxy_protocol: true } },
      {
        onError: (error) => {
          const reason = errorText(error, t`The server could not be reached`);
          toast("error", t`Error updating backend group: ${reason}`);
          void refresh();
        },
      },
    );
  }

  const removeGroup = useMutation({
    mutationFn: (group: BackendGroup) =>
      call(backendRoutes.deleteBackendGroup, { params: of(group) }),
    onSuccess: ({ data }) => done(t`Backend group deleted successfully`, data.revision),
    onError: (error) => {
      toast("error", errorText(error, t`Error deleting backend group`));
      void refresh();
    },
  });

  const addServer = useMutation({
    mutationFn: ({ group, address }: { group: BackendGroup; address: ServerAddress }) =>
      call(backendRoutes.addBackendServer, { params: of(group), body: address }),
    onSuccess: ({ data }) => done(t`Backend IP added successfully`, data.revision),
  });

  const updateServer = useMutation({
    mutationFn: ({ group, server, address }: Placed & { address: ServerAddress }) =>
      call(backendRoutes.updateBackendServer, {
        params: { ...of(group), ipId: server.id },
        body: address,
      }),
    onSuccess: ({ data }) => done(t`Backend updated successfully`, data.revision),
  });

  const removeServer = useMutation({
    mutationFn: ({ group, server }: Placed) =>
      call(backendRoutes.removeBackendServer, { params: { ...of(group), ipId: server.id } }),
    onSuccess: ({ data }, { group, server }) => {
      const { ip, port, bedrock_proxy } = server;
      // A plan without Bedrock refuses a port for it.
      const hasBedrock = client.getQueryData(queryKey)?.bedrock_available === true;
      const bedrock_port = hasBedrock ? server.bedrock_port : null;
      return done(t`Backend deleted successfully`, data.revision, () =>
        addServer.mutate(
          { group, address: { ip, port, bedrock_port, bedrock_proxy } },
          { onError: (error) => toast("error", errorText(error, t`Failed to add backend IP`)) },
        ),
      );
    },
    onError: (error) => {
      toast("error", errorText(error, t`Error deleting backend`));
      void refresh();
    },
  });

  /** Reads the group again, past the cache; undefined if it no longer exists. */
  async function reread(group: BackendGroup): Promise<BackendGroup | undefined> {
    const query = { ...backendsQuery(shieldId), staleTime: 0 };
    await client.cancelQueries({ queryKey });
    const { backends }: Backends = await client.fetchQuery(query);
    return backends.find(({ id }) => id === group.id);
  }

  return {
    create,
    update,
    turnOnProxy,
    removeGroup,
    addServer,
    updateServer,
    removeServer,
    reread,
  };
}

export type BackendChanges = ReturnType<typeof useBackends>;
