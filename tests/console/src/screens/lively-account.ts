import { entryKindOf } from "@palisade/contract/http/firewall";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { renderText } from "@palisade/contract/texts/render";
import type { TextKey } from "@palisade/contract/texts/en";
import type { DoctorFinding } from "@palisade/contract/http/server-setup";
import type { Locale } from "@palisade/contract/texts/locale";
import {
  createCard,
  createDocuments,
  createTransactions,
  type AccountState,
} from "../stub-api/account-state.ts";
import type { StubApi } from "../stub-api/stub-api.ts";
import { livelyLog } from "./lively-log.ts";
import { livelyReplay } from "./lively-replay.ts";
import { livelyTickets } from "./lively-tickets.ts";
import { livelyAttack, livelyAttackPage } from "./lively-attack.ts";
import { livelyComparison, livelyHistory } from "./lively-history.ts";

const { account, attacks, audit, history, logs, profile, replay, servers, doctor, subUsers } =
  routes;
const minuteMs = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();
/** A curve that rises and falls, so that graphs have something to draw. */
const wave = (length: number, mean: number) =>
  Array.from({ length }, (_, n) => Math.round(mean * (1 + Math.sin(n / 3) / 3)));

const documentWords = {
  top_up: { en: "Top-up of the account balance", ru: "Пополнение баланса аккаунта" },
  renewal: {
    en: "Renewal of Game Shield Skyline, plan Plus",
    ru: "Продление Game Shield Skyline, тариф Plus",
  },
  correction: { en: "Correction", ru: "Исправление" },
} as const;

/** Lists and graphs as an account in use has them, among them a running attack. */
export function makeLively(api: StubApi, state: AccountState, locale: Locale): void {
  const [shield] = state.shields;
  if (shield) {
    state.shields = [
      { ...shield, under_attack: true, players_history: wave(24, 400), players_online: 418 },
      { ...shield, id: exampleIds.plan, server_name: "Lobby", players_history: wave(24, 90) },
      { ...shield, id: exampleIds.other, server_name: "Bedrock Isles", role: "member" },
      { ...shield, id: exampleIds.user, server_name: "Event 2025", status: "expired" },
      {
        ...shield,
        id: exampleIds.entry,
        server_name: "Old lobby",
        status: "deleted",
        deleted_at: ago(3_000),
        restorable_until: ago(-17_000),
      },
    ];
  }
  const hour = 60;
  const listed = [
    { ip: "Griefer_1", note: "Blew up the spawn, twice", expires_at: ago(-30 * 24 * hour) },
    { ip: "203.0.113.5", note: "", expires_at: null },
    {
      ip: "2001:db8:85a3::/48",
      note: "Hosting network of the bots of Sunday",
      expires_at: ago(-hour),
    },
    { ip: "xX_Spawn_Camp_Xx", note: "Asked to come back", expires_at: ago(3 * hour) },
    { ip: "198.51.100.0/24", note: "SBL123", expires_at: null },
  ];
  state.firewall = {
    ...state.firewall,
    blacklist_ips: listed.map((entry, n) => ({
      id: `0199a3f2-7c10-7000-8000-00000000020${n}`,
      ...entry,
      kind: entryKindOf(entry.ip) ?? "address",
      created_at: ago(90 * (n + 1)),
    })),
  };
  state.tickets = livelyTickets(locale);
  state.transactions = createTransactions(17, (n) => {
    const kinds = ["top_up", "renewal", "promo_bonus", "refund"] as const;
    const type = kinds[n % kinds.length] ?? "top_up";
    const payment_method = (["stripe", "balance", "promo", "operator"] as const)[n % 4] ?? "stripe";
    const cents = type === "renewal" ? -999 : 2_000;
    const status = n === 0 ? ("pending" as const) : ("completed" as const);
    const amount = (cents / 100).toFixed(2);
    return {
      type,
      payment_method,
      amount,
      amount_cents: cents,
      status,
      created_at: ago(n * 2_000),
    };
  });
  state.documents = createDocuments(6, (n) => {
    const kinds = ["receipt", "invoice", "credit_note"] as const;
    const kind = kinds[n % kinds.length] ?? "invoice";
    const about = { receipt: "top_up", invoice: "renewal", credit_note: "correction" } as const;
    const sign = kind === "credit_note" ? -1 : 1;
    return {
      kind,
      number: `${{ receipt: "RCT", invoice: "INV", credit_note: "CRN" }[kind]}-2026-00000${6 - n}`,
      description: documentWords[about[kind]][locale],
      payment_method: kind === "receipt" ? ("paypal" as const) : ("balance" as const),
      is_sandbox: n === 0,
      ...(kind === "receipt"
        ? { net_cents: 2_000, tax_cents: 0, total_cents: 2_000, period: null }
        : { net_cents: 900 * sign, tax_cents: 171 * sign, total_cents: 1_071 * sign }),
      issued_at: ago(n * 9_000),
      supplied_at: ago(n * 9_000),
    };
  });
  const soon = new Date();
  state.cards = {
    mode: "live",
    cards: [
      createCard({ is_default: true }),
      createCard({
        brand: "mastercard",
        last4: "4444",
        exp_month: soon.getUTCMonth() + 1,
        exp_year: soon.getUTCFullYear(),
      }),
      createCard({ brand: "amex", last4: "0005", exp_month: 3, exp_year: 2024, is_expired: true }),
    ],
  };
  const renewal = (name: string, days: number, cents: number, covered: boolean | null) => ({
    server_id: exampleIds.shield as string | null,
    name,
    charge_at: ago(-days * 1_440),
    price: (cents / 100).toFixed(2),
    price_cents: cents,
    covered,
  });
  state.forecast = {
    balance_lasts_until: ago(-16 * 1_440),
    monthly: "68.00",
    monthly_cents: 6_800,
    renewals: [
      renewal("Skyline", 4, 900, true),
      { ...renewal("Lobby", 16, 4_900, false), server_id: exampleIds.plan },
      { ...renewal("Bedrock Isles", 20, 900, null), server_id: exampleIds.other },
      { ...renewal("Standard", 27, 1_000, true), server_id: null },
    ],
  };
  api.change(profile.getDashboard, (usual) => ({
    ...usual,
    balance_history: wave(30, 2_500),
    players_history: wave(24, 96),
    blocked_history: wave(24, 900),
    blocked_packets: 18_412_337,
  }));
  api.change(servers.getOverview, (usual) => ({
    ...usual,
    under_attack: true,
    blocked_connections: 48_120,
    history: Array.from({ length: 60 }, (_, n) => ({
      minute: ago(60 - n),
      players: 128,
      joins: 12,
      pings: 340,
      refused: n > 40 ? 80_000 : 40,
      bytes: 48_120_331,
    })),
  }));
  api.change(attacks.listAttacks, ({ data: [one], ...rest }) => ({
    ...rest,
    data: one
      ? [
          { ...one, relaxed_to: null, started_at: ago(18), ended_at: null },
          {
            ...one,
            id: exampleIds.plan,
            relaxed_to: null,
            started_at: ago(1_500),
            ended_at: ago(1_491),
          },
          {
            ...one,
            id: exampleIds.other,
            relaxed_to: "low" as const,
            started_at: ago(9_000),
            ended_at: ago(8_959),
          },
        ]
      : [],
  }));
  api.change(attacks.getAttack, ({ attack }) => ({ attack: livelyAttackPage(attack) }));
  api.change(attacks.readSharedAttack, ({ attack, ...rest }) => ({
    ...rest,
    attack: livelyAttack(attack),
  }));
  api.change(subUsers.listSubUsers, ({ sub_users: [one] }) => ({
    sub_users: one
      ? [
          { ...one, status: "active" as const, last_activity_at: ago(3), expires_at: null },
          {
            ...one,
            id: exampleIds.plan,
            email: "maria.a.long.name@example-network.org",
            last_activity_at: null,
            created_at: ago(1_600),
            expires_at: ago(-8_000),
          },
          {
            ...one,
            id: exampleIds.other,
            email: "oleg@example.com",
            status: "active" as const,
            role: "custom" as const,
            rights: { ...roleRights.viewer, backends: "change" as const, domains: "none" as const },
            last_activity_at: ago(90),
            expires_at: null,
          },
        ]
      : [],
  }));
  api.change(account.getProfile, (usual) => ({
    ...usual,
    profile: { ...usual.profile, discord_invite_url: "https://discord.gg/example" },
  }));
  api.change(audit.listAuditLog, ({ data: [one], ...rest }) => ({
    ...rest,
    data: one
      ? [
          { ...one, created_at: ago(4) },
          { ...one, id: exampleIds.plan, method: "PUT", response_status: 422, created_at: ago(90) },
          {
            ...one,
            id: exampleIds.other,
            method: "GET",
            response_status: 200,
            created_at: ago(3_000),
          },
        ]
      : [],
  }));
  api.change(logs.listLogEntries, ({ data: [one], ...rest }) => ({
    ...rest,
    data: one ? livelyLog(one, locale) : [],
    next_cursor: null,
  }));
  api.change(history.listHistory, ({ data: [one], ...rest }) => ({
    ...rest,
    data: one ? livelyHistory(one, locale) : [],
  }));
  api.change(replay.replayMitigation, (usual) => livelyReplay(usual, locale));
  api.change(history.compareHistory, () => ({ areas: livelyComparison }));
  api.change(doctor.runDoctor, (usual) => ({
    ...usual,
    checked_at: ago(0),
    outcome: "failed" as const,
    findings: findings(locale),
  }));
}

const values = {
  name: "203.0.113.10:25565",
  version: "Paper 1.21.4",
  online: 128,
  max: 500,
  latency: 8,
  type: "CNAME",
  record: "play.example.com",
  value: "k7w2mq4xz5ta.gs.example.net",
  port: 25_565,
};

function findings(locale: Locale): DoctorFinding[] {
  const say = (key: TextKey, name: string) => renderText(locale, key, { ...values, name });
  const domain = "play.example.com";
  const backend = "203.0.113.10:25565";
  return [
    {
      subject: "dns",
      name: domain,
      edge: null,
      outcome: "failed",
      code: "dns.missing",
      title: say("doctor.dns.missing", domain),
      fix: say("doctor.dns.missing.fix", domain),
      seen: null,
    },
    {
      subject: "edge",
      name: "fra-1",
      edge: "fra-1",
      outcome: "ok",
      code: "edge.current",
      title: say("doctor.edge.current", "fra-1"),
      fix: null,
      seen: null,
    },
    {
      subject: "backend",
      name: backend,
      edge: "fra-1",
      outcome: "ok",
      code: "backend.online",
      title: say("doctor.backend.online", backend),
      fix: null,
      seen: say("doctor.seen.status", backend),
    },
    {
      subject: "origin",
      name: backend,
      edge: "fra-1",
      outcome: "warning",
      code: "origin.open",
      title: say("doctor.origin.open", backend),
      fix: say("doctor.origin.open.fix", backend),
      seen: null,
    },
  ];
}
