import type { productFeatures } from "@palisade/contract/product-features";
import type { PlanLimits } from "@palisade/contract/http/plan-limits";

interface PricingPlanSeed {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly price_cents: number;
  readonly features: readonly string[];
  readonly limits: PlanLimits;
  /** A pricing plan has the same name in every language. */
  readonly translations: {
    readonly ru: { readonly description: string; readonly features: readonly string[] };
  };
}

interface SupportPlanSeed {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly price_cents: number;
  readonly translations: { readonly ru: { readonly name: string; readonly description: string } };
}

/** Features that these texts name only if they exist. */
export type Offered = Readonly<Pick<typeof productFeatures, "bedrock" | "tickets">>;

const terabyte = 1_000_000_000_000;
/** Bytes a second. */
const megabit = 1_000_000 / 8;

/** Prices are EUR cents per month, without tax. */
export const pricingPlans = ({ bedrock }: Offered): readonly PricingPlanSeed[] => [
  {
    slug: "free",
    name: "Free",
    description: "Everything a small server needs",
    price_cents: 0,
    features: [
      "Always-on DDoS protection",
      "1 domain",
      "1 backend group",
      "1 TB traffic per month",
      "Firewall lists and own messages",
    ],
    limits: {
      domains: 1,
      backend_groups: 1,
      traffic_bytes_per_month: terabyte,
      caching: false,
      customization: true,
      bedrock: false,
      antibot_ceiling: "medium",
      anti_vpn: false,
      analytics_days: 30,
      locations: ["local", "frankfurt", "stockholm"],
      players: 1_000,
      half_open_logins: 2_048,
      bytes_per_second: 200 * megabit,
    },
    translations: {
      ru: {
        description: "Всё, что нужно небольшому серверу",
        features: [
          "Постоянная защита от DDoS",
          "1 домен",
          "1 группа бэкендов",
          "1 ТБ трафика в месяц",
          "Списки файрвола и собственные сообщения",
        ],
      },
    },
  },
  {
    slug: "plus",
    name: "Plus",
    description: "For growing communities",
    price_cents: 900,
    features: [
      "Everything in Free",
      "5 domains",
      "3 backend groups",
      "5 TB traffic per month",
      "MOTD caching",
      ...(bedrock ? ["Bedrock and Geyser"] : []),
      "AntiBot up to High",
    ],
    limits: {
      domains: 5,
      backend_groups: 3,
      traffic_bytes_per_month: 5 * terabyte,
      caching: true,
      customization: true,
      bedrock: true,
      antibot_ceiling: "high",
      anti_vpn: false,
      log_days: 14,
      analytics_days: 90,
      players: 3_000,
      half_open_logins: 3_072,
      bytes_per_second: 500 * megabit,
    },
    translations: {
      ru: {
        description: "Для растущих сообществ",
        features: [
          "Всё, что есть в Free",
          "5 доменов",
          "3 группы бэкендов",
          "5 ТБ трафика в месяц",
          "Кэширование MOTD",
          ...(bedrock ? ["Bedrock и Geyser"] : []),
          "AntiBot до уровня «Высокий»",
        ],
      },
    },
  },
  {
    slug: "pro",
    name: "Pro",
    description: "For servers that are attacked often",
    price_cents: 2_900,
    features: [
      "Everything in Plus",
      "20 domains",
      "10 backend groups",
      "20 TB traffic per month",
      "AntiBot up to Extreme",
      "Anti-VPN",
    ],
    limits: {
      domains: 20,
      backend_groups: 10,
      traffic_bytes_per_month: 20 * terabyte,
      caching: true,
      customization: true,
      bedrock: true,
      antibot_ceiling: "extreme",
      anti_vpn: true,
      log_days: 30,
      players: 10_000,
      half_open_logins: 4_096,
      bytes_per_second: 1_000 * megabit,
    },
    translations: {
      ru: {
        description: "Для серверов, которые часто атакуют",
        features: [
          "Всё, что есть в Plus",
          "20 доменов",
          "10 групп бэкендов",
          "20 ТБ трафика в месяц",
          "AntiBot до уровня «Экстремальный»",
          "Anti-VPN",
        ],
      },
    },
  },
  {
    slug: "network",
    name: "Network",
    description: "For server networks",
    price_cents: 9_900,
    features: ["Everything in Pro", "100 domains", "50 backend groups", "Unlimited traffic"],
    limits: {
      domains: 100,
      backend_groups: 50,
      traffic_bytes_per_month: null,
      caching: true,
      customization: true,
      bedrock: true,
      antibot_ceiling: "extreme",
      anti_vpn: true,
      log_days: 30,
      players: 30_000,
      half_open_logins: 6_144,
      bytes_per_second: 2_000 * megabit,
    },
    translations: {
      ru: {
        description: "Для сетей серверов",
        features: ["Всё, что есть в Pro", "100 доменов", "50 групп бэкендов", "Безлимитный трафик"],
      },
    },
  },
];

export const supportPlans = ({ tickets }: Offered): readonly SupportPlanSeed[] => [
  {
    slug: "free",
    name: "Free",
    description: tickets
      ? "Tickets and community, answered as time allows"
      : "Answered as time allows",
    price_cents: 0,
    translations: {
      ru: {
        name: "Бесплатный",
        description: tickets
          ? "Тикеты и сообщество, отвечаем по мере возможности"
          : "Отвечаем по мере возможности",
      },
    },
  },
  {
    slug: "priority",
    name: "Priority",
    description: tickets
      ? "Tickets are answered first, within 4 hours"
      : "Answered first, within 4 hours",
    price_cents: 1_900,
    translations: {
      ru: {
        name: "Приоритетный",
        description: tickets
          ? "Ваши тикеты первые в очереди, ответ в течение 4 часов"
          : "Вы первые в очереди, ответ в течение 4 часов",
      },
    },
  },
  {
    slug: "business",
    name: "Business",
    description: "Around the clock, within 30 minutes, with a named contact",
    price_cents: 9_900,
    translations: {
      ru: {
        name: "Бизнес",
        description: "Круглосуточно, ответ в течение 30 минут, закреплённый за вами специалист",
      },
    },
  },
];
