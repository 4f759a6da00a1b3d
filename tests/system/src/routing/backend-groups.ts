import {
  backendRoutes,
  type BackendGroup,
  type BackendServer,
} from "@palisade/contract/http/backends";
import type { CallInput } from "@palisade/contract/http/client";
import { until } from "@palisade/testing/until";
import type { BoughtShield, MinecraftFixture } from "../minecraft/fixture.ts";

type GroupChange = CallInput<typeof backendRoutes.updateBackendGroup>["body"];
type NewGroup = CallInput<typeof backendRoutes.createBackendGroup>["body"];

/** A backend group, changed as an owner's program does it; resolves once edges have it. */
export interface Group {
  readonly id: string;
  change(body: GroupChange): Promise<void>;
  addServer(port: number): Promise<void>;
  /** Resolves once the server on this port has its part in the balancing. */
  proven(port: number): Promise<void>;
  removeServer(port: number): Promise<void>;
  /** The state that the console shows of the server on this port. */
  healthOf(port: number): Promise<BackendServer["health"]>;
  seen(): Promise<BackendGroup>;
}

export interface BackendGroups {
  /** The default one, which the shield began with. */
  standard(): Promise<Group>;
  add(body: NewGroup): Promise<Group>;
}

export function groupsOf(fixture: MinecraftFixture, shield: BoughtShield): BackendGroups {
  const { owner } = fixture;
  const { params } = shield;
  const all = async (): Promise<BackendGroup[]> =>
    (await owner(backendRoutes.getBackends, { params })).data.backends;
  return {
    async standard() {
      const found = (await all()).find((group) => group.default);
      if (found === undefined) throw new Error("There is no default group");
      return grouped(found.id);
    },
    async add(body) {
      const call = owner(backendRoutes.createBackendGroup, { params, body });
      return grouped((await fixture.applied(shield, call)).backend.id);
    },
  };

  function grouped(id: string): Group {
    const named = { params: { ...params, backendId: id } };
    const seen = async (): Promise<BackendGroup> => {
      const found = (await all()).find((group) => group.id === id);
      if (found === undefined) throw new Error(`There is no group ${id}`);
      return found;
    };
    const serverOn = async (port: number): Promise<BackendServer> => {
      const found = (await seen()).ips.find((server) => server.port === port);
      if (found === undefined) throw new Error(`There is no server on port ${port}`);
      return found;
    };
    return {
      id,
      seen,
      async change(body) {
        await fixture.applied(shield, owner(backendRoutes.updateBackendGroup, { ...named, body }));
      },
      async addServer(port) {
        const body = { ip: "127.0.0.1", port };
        await fixture.applied(shield, owner(backendRoutes.addBackendServer, { ...named, body }));
      },
      async proven(port) {
        await until(async () => (await serverOn(port)).proof.proven);
      },
      async removeServer(port) {
        const server = { params: { ...named.params, ipId: (await serverOn(port)).id } };
        await fixture.applied(shield, owner(backendRoutes.removeBackendServer, server));
      },
      healthOf: async (port) => (await serverOn(port)).health,
    };
  }
}
