import { entryKindOf } from "@palisade/contract/http/firewall";
import type { BackendGroup } from "@palisade/contract/http/backends";
import { routes } from "@palisade/contract/http/routes";
import { newId, type AccountState } from "./account-state.ts";
import { example } from "./example-answer.ts";
import { Refusal } from "./problems.ts";
import type { StubApi } from "./stub-api.ts";

const { servers, serverLife, backends, shieldDomains, mitigation, serverMessages } = routes;
const { caching, firewall, origin, subUsers } = routes;

/** Routes of the account's shield; what a page changes is what it reads afterwards. */
export function handleShield(api: StubApi, state: () => AccountState): void {
  api.handle(servers.getServer, ({ params }) => {
    const { shield } = state();
    if (params.id !== shield.id) throw new Refusal("not_found");
    return { server: shield };
  });
  api.handle(servers.getOverview, () => ({
    ...state().overview,
    server_name: state().shield.server_name,
    status: state().shield.status,
  }));
  api.handle(servers.updateOverview, ({ body }) => {
    state().overview = { ...state().overview, ...withoutUndefined(body) };
    const { automatic_renewal, include_balance } = state().overview;
    return { ...example(servers.updateOverview), automatic_renewal, include_balance };
  });
  api.handle(servers.createServer, ({ body }) => {
    const [one] = example(servers.listServers).data;
    if (one === undefined) throw new Error("The contract has no example of a shield");
    const { server_name, domain } = body;
    const added = { ...one, id: newId(), role: "owner" as const, server_name, domain };
    state().shields = [...state().shields, added];
    return example(servers.createServer);
  });
  api.handle(serverLife.renameServer, ({ body }) => {
    state().shield = { ...state().shield, ...body };
    return { ...example(serverLife.renameServer), server: state().shield };
  });
  api.handle(origin.getOrigin, () => {
    const usual = example(origin.getOrigin);
    // Two files of one name would be two regions of one name on the page.
    const file = "paper-global.yml";
    return { ...usual, settings: usual.settings.map((each) => ({ ...each, file })) };
  });
  handleBackends(api, state);
  handleDomains(api, state);
  handleSettings(api, state);
  handleFirewall(api, state);
  handleSubUsers(api, state);
}

function handleBackends(api: StubApi, state: () => AccountState): void {
  const groupOf = (id: string): BackendGroup => {
    const group = state().backends.backends.find((each) => each.id === id);
    if (group === undefined) throw new Refusal("not_found");
    return group;
  };
  const replaceGroup = (id: string, now: readonly BackendGroup[]): void => {
    const { backends: groups, ...others } = state().backends;
    const after = groups.flatMap((group) => (group.id === id ? now : [group]));
    state().backends = { ...others, backends: after };
  };
  api.handle(backends.getBackends, () => state().backends);
  api.handle(backends.updateBackendGroup, ({ params, body }) => {
    const group = { ...groupOf(params.backendId), ...withoutUndefined(body) };
    replaceGroup(group.id, [group]);
    return { ...example(backends.updateBackendGroup), backend: group };
  });
  api.handle(backends.deleteBackendGroup, ({ params }) => {
    if (state().backends.backends.length === 1) throw new Refusal("last_group");
    replaceGroup(groupOf(params.backendId).id, []);
    return example(backends.deleteBackendGroup);
  });
  api.handle(backends.addBackendServer, ({ params, body }) => {
    const group = groupOf(params.backendId);
    const usual = example(backends.addBackendServer);
    const entry = { ...usual.entry, ...withoutUndefined(body), id: newId() };
    const after = { ...group, ips: [...group.ips, entry] };
    replaceGroup(group.id, [after]);
    return { ...usual, backend: after, entry };
  });
  api.handle(backends.removeBackendServer, ({ params }) => {
    const group = groupOf(params.backendId);
    const after = { ...group, ips: group.ips.filter(({ id }) => id !== params.ipId) };
    replaceGroup(group.id, [after]);
    return { ...example(backends.removeBackendServer), backend: after };
  });
}

function handleDomains(api: StubApi, state: () => AccountState): void {
  const change = (domains: AccountState["domains"]["domains"]): void => {
    state().domains = { ...state().domains, domains };
  };
  api.handle(shieldDomains.listDomains, () => state().domains);
  api.handle(shieldDomains.addDomain, ({ body }) => {
    const { domains } = state().domains;
    if (domains.some(({ domain }) => domain === body.domain)) throw new Refusal("domain_exists");
    const usual = example(shieldDomains.addDomain);
    const added = {
      ...usual.domain,
      id: newId(),
      domain: body.domain,
      status: "setup_pending" as const,
      verified_at: null,
    };
    change([...domains, added]);
    return { ...usual, domain: added };
  });
  api.handle(shieldDomains.removeDomain, ({ params }) => {
    change(state().domains.domains.filter(({ id }) => id !== params.domainId));
    return example(shieldDomains.removeDomain);
  });
  api.handle(shieldDomains.getDomainSetup, ({ params }) => {
    const domain = state().domains.domains.find(({ id }) => id === params.domainId);
    if (domain === undefined) throw new Refusal("not_found");
    return { ...example(shieldDomains.getDomainSetup), domain };
  });
}

function handleSettings(api: StubApi, state: () => AccountState): void {
  api.handle(mitigation.getMitigation, () => state().mitigation);
  api.handle(mitigation.updateMitigation, ({ body }) => {
    state().mitigation = { ...state().mitigation, ...withoutUndefined(body) };
    return { ...example(mitigation.updateMitigation), mitigation: state().mitigation };
  });
  api.handle(mitigation.getTryAddress, () => ({ try_address: state().tryAddress }));
  api.handle(mitigation.startTry, ({ body }) => {
    const usual = example(mitigation.startTry);
    const expires_at = new Date(Date.now() + 24 * 3_600_000).toISOString();
    const try_address = { ...usual.try_address, ...body, expires_at };
    state().tryAddress = try_address;
    return { ...usual, try_address };
  });
  api.handle(mitigation.endTry, () => {
    state().tryAddress = null;
    return example(mitigation.endTry);
  });
  api.handle(serverMessages.getServerMessages, () => state().messages);
  api.handle(serverMessages.updateServerMessages, ({ body }) => {
    const before = state().messages;
    state().messages = {
      general: { ...before.general, ...withoutUndefined(body.general ?? {}) },
      mitigation: { ...before.mitigation, ...withoutUndefined(body.mitigation ?? {}) },
      offline: { ...before.offline, ...withoutUndefined(body.offline ?? {}) },
      firewall: { ...before.firewall, ...withoutUndefined(body.firewall ?? {}) },
    };
    return { ...example(serverMessages.updateServerMessages), messages: state().messages };
  });
  api.handle(caching.updateCaching, ({ body }) => {
    const { caching: usual, ...answer } = example(caching.updateCaching);
    return { ...answer, caching: { ...usual, ...body } };
  });
}

function handleFirewall(api: StubApi, state: () => AccountState): void {
  const lists = ["blacklist_ips", "whitelist_ips"] as const;
  api.handle(firewall.getFirewall, () => state().firewall);
  api.handle(firewall.updateFirewall, ({ body }) => {
    state().firewall = { ...state().firewall, ...withoutUndefined(body) };
    return { ...example(firewall.updateFirewall), firewall: state().firewall };
  });
  api.handle(firewall.addFirewallEntry, ({ body }) => {
    const list = `${body.type}_ips` as const;
    const known = state().firewall[list];
    if (known.some(({ ip }) => ip === body.ip)) throw new Refusal("entry_exists");
    const { entry, ...answer } = example(firewall.addFirewallEntry);
    const kind = entryKindOf(body.ip) ?? entry.kind;
    const { note = "", expires_at = null } = body;
    const added = { ...entry, id: newId(), ip: body.ip, kind, note, expires_at };
    state().firewall = { ...state().firewall, [list]: [...known, added] };
    return { ...answer, entry: added, message: `${body.ip} added successfully` };
  });
  api.handle(firewall.updateFirewallEntry, ({ params, body }) => {
    const { entry: usual, ...answer } = example(firewall.updateFirewallEntry);
    let entry = usual;
    for (const list of lists) {
      const entries = state().firewall[list].map((each) => {
        if (each.id !== params.ipId) return each;
        entry = { ...each, ...withoutUndefined(body) };
        return entry;
      });
      state().firewall = { ...state().firewall, [list]: entries };
    }
    return { ...answer, entry, message: `Entry ${entry.ip} changed` };
  });
  api.handle(firewall.removeFirewallEntry, ({ params }) => {
    for (const list of lists) {
      const left = state().firewall[list].filter(({ id }) => id !== params.ipId);
      state().firewall = { ...state().firewall, [list]: left };
    }
    return example(firewall.removeFirewallEntry);
  });
  api.handle(firewall.clearFirewallList, ({ params }) => {
    state().firewall = { ...state().firewall, [`${params.type}_ips`]: [] };
    return example(firewall.clearFirewallList);
  });
}

function handleSubUsers(api: StubApi, state: () => AccountState): void {
  api.handle(subUsers.listSubUsers, () => ({ sub_users: [...state().subUsers] }));
  api.handle(subUsers.addSubUser, ({ body }) => {
    const { sub_user: usual, ...answer } = example(subUsers.addSubUser);
    const added = { ...usual, id: newId(), email: body.email };
    state().subUsers = [...state().subUsers, added];
    return { ...answer, sub_user: added };
  });
  api.handle(subUsers.removeSubUser, ({ params }) => {
    state().subUsers = state().subUsers.filter(({ id }) => id !== params.subUserId);
    return example(subUsers.removeSubUser);
  });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Missing keeps what is stored. */
function withoutUndefined<T extends object>(change: T): Defined<T> {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  // The same keys without those that were undefined: `fromEntries` cannot know.
  return Object.fromEntries(entries) as Defined<T>;
}
