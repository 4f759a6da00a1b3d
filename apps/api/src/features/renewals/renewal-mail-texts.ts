import type { Locale } from "@palisade/contract/texts/render";

export type RenewalMail =
  | "low"
  | "ending"
  | "failed"
  | "grace"
  | "last_day"
  | "expired"
  | "plan_kept"
  | "support_failed"
  | "support_ended"
  | "traffic_80"
  | "traffic_100"
  | "traffic_used_up"
  | "top_up_failed"
  | "top_up_off";

interface Letter {
  readonly subject: string;
  readonly heading: string;
  readonly lead: string;
  /** The reader's next step. */
  readonly next: string;
  readonly details: readonly ("server" | "price")[];
  readonly button?: string;
  readonly opensBilling?: boolean;
}

type Texts = Readonly<Record<RenewalMail, Letter>> & {
  readonly common: Readonly<Record<"reason" | "button" | "server" | "price", string>>;
};

const shield = { details: ["server", "price"] } as const;
const enTopUp = { button: "Top up", opensBilling: true } as const;
const ruTopUp = { button: "Пополнить баланс", opensBilling: true } as const;

const en: Texts = {
  common: {
    reason: "You receive this mail because it concerns what you have paid for at Palisade.",
    button: "Open the Game Shield",
    server: "Game Shield",
    price: "Price of a month",
  },
  low: {
    ...shield,
    ...enTopUp,
    subject: "Your balance does not cover the renewal of {server}",
    heading: "The balance is too low for the next renewal",
    lead: "The paid period of this Game Shield ends on {endsAt}. Renewals until then cost {needed}, and the balance is {balance}.",
    next: "Top up before that day, so that players can keep joining.",
  },
  ending: {
    ...shield,
    subject: "The paid period of {server} ends soon",
    heading: "Automatic renewal is off",
    lead: "The paid period of this Game Shield ends on {endsAt}. It will not be renewed, because automatic renewal is off.",
    next: "To keep it, choose 'Renew now'. Without a payment, players can join until {graceEndsAt}.",
  },
  failed: {
    ...shield,
    ...enTopUp,
    subject: "{server} could not be renewed",
    heading: "The renewal could not be paid",
    lead: "Neither a saved card nor the balance paid for the next period of this Game Shield. Its paid period ends on {endsAt}.",
    next: "The renewal is tried again several times. Top up the balance, so that the next try works.",
  },
  grace: {
    ...shield,
    ...enTopUp,
    subject: "The paid period of {server} is over",
    heading: "The paid period is over",
    lead: "This Game Shield has not been paid since {endsAt}. Players can still join until {graceEndsAt}.",
    next: "Top up and choose 'Renew now'. After that time new players are told that the protection has expired.",
  },
  last_day: {
    ...shield,
    ...enTopUp,
    subject: "Last day: {server} stops on {graceEndsAt}",
    heading: "Players can join for one more day",
    lead: "This Game Shield has not been paid since {endsAt}. From {graceEndsAt} on, new players are told that the protection has expired.",
    next: "Top up and choose 'Renew now' to keep it.",
  },
  expired: {
    ...shield,
    subject: "{server} has expired",
    heading: "The protection has expired",
    lead: "This Game Shield was not paid after {endsAt}. New players are told that the protection has expired. Players who are on stay.",
    next: "Choose 'Renew now' to bring it back within seconds. Its settings and addresses are kept.",
  },
  plan_kept: {
    ...shield,
    subject: "The plan of {server} was not changed",
    heading: "The planned change was not possible",
    lead: "The Game Shield has more than the chosen plan allows, so it stays on the plan {plan} and is renewed as before.",
    next: "Remove what the smaller plan does not allow, then change the plan again.",
  },
  support_failed: {
    details: ["price"],
    ...enTopUp,
    subject: "Your support plan could not be renewed",
    heading: "The renewal could not be paid",
    lead: "Neither a saved card nor the balance paid for the next period of the support plan {plan}. It ends on {endsAt}.",
    next: "Top up before that day. Otherwise you have the free support plan from then on.",
  },
  support_ended: {
    details: [],
    ...enTopUp,
    subject: "Your support plan has ended",
    heading: "You have the free support plan now",
    lead: "The support plan {plan} could not be renewed and ended on {endsAt}.",
    next: "You can choose it again at any time.",
  },
  traffic_80: {
    details: ["server"],
    subject: "80 % of the traffic of {server} is used",
    heading: "80 % of this month's traffic is used",
    lead: "The traffic that players of this Game Shield cause has reached 80 % of what its plan includes in a month. Attacks do not count.",
    next: "A larger plan includes more. The count starts again on the first of the month.",
  },
  traffic_100: {
    details: ["server"],
    subject: "The traffic of {server} has reached its limit",
    heading: "This month's traffic is used",
    lead: "The traffic of this Game Shield has reached what its plan includes in a month. Players can still join for 5 days, or until twice as much is used.",
    next: "Choose a larger plan, so that new players can join for the rest of the month.",
  },
  traffic_used_up: {
    details: ["server"],
    subject: "New players can no longer join {server}",
    heading: "This month's traffic is used up",
    lead: "New players are told that the traffic of this Game Shield is used up. Players who are on stay.",
    next: "With a larger plan they can join again at once. Otherwise they can from the first of the month on.",
  },
  top_up_failed: {
    details: [],
    button: "Open billing",
    opensBilling: true,
    subject: "The automatic top-up failed",
    heading: "Your card could not be charged",
    lead: "The balance fell below the limit that you set, and {amount} could not be charged to your saved card.",
    next: "It is tried again tomorrow. You can also top up by hand or save another card.",
  },
  top_up_off: {
    details: [],
    button: "Open billing",
    opensBilling: true,
    subject: "The automatic top-up was switched off",
    heading: "Your card could not be charged three times",
    lead: "{amount} could not be charged to your saved card on three days, so the automatic top-up is off now.",
    next: "Save another card, then switch it on again.",
  },
};

const ru: Texts = {
  common: {
    reason: "Вы получили это письмо, потому что оно касается оплаченных вами услуг Palisade.",
    button: "Открыть щит",
    server: "Щит",
    price: "Цена за месяц",
  },
  low: {
    ...shield,
    ...ruTopUp,
    subject: "Баланса не хватит на продление: {server}",
    heading: "Баланса не хватит на следующее продление",
    lead: "Оплаченный период этого щита заканчивается {endsAt}. Продления до этого дня стоят {needed}, а на балансе {balance}.",
    next: "Пополните баланс до этого дня, чтобы игроки могли заходить и дальше.",
  },
  ending: {
    ...shield,
    subject: "Оплаченный период скоро закончится: {server}",
    heading: "Автоматическое продление выключено",
    lead: "Оплаченный период этого щита заканчивается {endsAt}. Он не будет продлён, потому что автоматическое продление выключено.",
    next: "Чтобы сохранить щит, нажмите «Продлить сейчас». Без оплаты игроки смогут заходить до {graceEndsAt}.",
  },
  failed: {
    ...shield,
    ...ruTopUp,
    subject: "Не удалось продлить: {server}",
    heading: "Продление не оплачено",
    lead: "Ни сохранённая карта, ни баланс не оплатили следующий период этого щита. Оплаченный период заканчивается {endsAt}.",
    next: "Мы попробуем ещё несколько раз. Пополните баланс, чтобы следующая попытка удалась.",
  },
  grace: {
    ...shield,
    ...ruTopUp,
    subject: "Оплаченный период закончился: {server}",
    heading: "Оплаченный период закончился",
    lead: "Этот щит не оплачен с {endsAt}. Игроки ещё могут заходить до {graceEndsAt}.",
    next: "Пополните баланс и нажмите «Продлить сейчас». После этого времени новые игроки увидят, что защита истекла.",
  },
  last_day: {
    ...shield,
    ...ruTopUp,
    subject: "Последний день: {server} работает до {graceEndsAt}",
    heading: "Игроки могут заходить ещё один день",
    lead: "Этот щит не оплачен с {endsAt}. С {graceEndsAt} новые игроки увидят, что защита истекла.",
    next: "Пополните баланс и нажмите «Продлить сейчас», чтобы сохранить щит.",
  },
  expired: {
    ...shield,
    subject: "Срок действия истёк: {server}",
    heading: "Защита истекла",
    lead: "Этот щит не был оплачен после {endsAt}. Новые игроки видят, что защита истекла. Те, кто уже в игре, остаются.",
    next: "Нажмите «Продлить сейчас», и щит вернётся за несколько секунд. Настройки и адреса сохранены.",
  },
  plan_kept: {
    ...shield,
    subject: "Тариф не изменён: {server}",
    heading: "Запланированное изменение не удалось",
    lead: "У щита больше, чем позволяет выбранный тариф, поэтому он остаётся на тарифе {plan} и продлевается как раньше.",
    next: "Удалите то, чего меньший тариф не позволяет, и измените тариф ещё раз.",
  },
  support_failed: {
    details: ["price"],
    ...ruTopUp,
    subject: "Не удалось продлить тариф поддержки",
    heading: "Продление не оплачено",
    lead: "Ни сохранённая карта, ни баланс не оплатили следующий период тарифа поддержки {plan}. Он заканчивается {endsAt}.",
    next: "Пополните баланс до этого дня. Иначе с этого дня у вас будет бесплатный тариф поддержки.",
  },
  support_ended: {
    details: [],
    ...ruTopUp,
    subject: "Тариф поддержки закончился",
    heading: "Теперь у вас бесплатный тариф поддержки",
    lead: "Тариф поддержки {plan} не удалось продлить, он закончился {endsAt}.",
    next: "Вы можете выбрать его снова в любое время.",
  },
  traffic_80: {
    details: ["server"],
    subject: "Израсходовано 80 % трафика: {server}",
    heading: "Израсходовано 80 % трафика за месяц",
    lead: "Трафик игроков этого щита достиг 80 % того, что входит в тариф за месяц. Атаки не считаются.",
    next: "В большем тарифе трафика больше. С первого числа счёт начнётся заново.",
  },
  traffic_100: {
    details: ["server"],
    subject: "Трафик достиг предела: {server}",
    heading: "Трафик за месяц израсходован",
    lead: "Трафик этого щита достиг того, что входит в тариф за месяц. Игроки смогут заходить ещё 5 дней или пока не уйдёт вдвое больше.",
    next: "Выберите больший тариф, чтобы новые игроки могли заходить до конца месяца.",
  },
  traffic_used_up: {
    details: ["server"],
    subject: "Новые игроки больше не могут зайти: {server}",
    heading: "Трафик за месяц закончился",
    lead: "Новые игроки видят, что трафик этого щита израсходован. Те, кто уже в игре, остаются.",
    next: "С большим тарифом они смогут зайти сразу. Иначе — с первого числа месяца.",
  },
  top_up_failed: {
    details: [],
    button: "Открыть оплату",
    opensBilling: true,
    subject: "Автопополнение не удалось",
    heading: "Не удалось списать деньги с карты",
    lead: "Баланс опустился ниже заданной вами границы, а списать {amount} с сохранённой карты не удалось.",
    next: "Завтра мы попробуем ещё раз. Вы также можете пополнить баланс сами или сохранить другую карту.",
  },
  top_up_off: {
    details: [],
    button: "Открыть оплату",
    opensBilling: true,
    subject: "Автопополнение выключено",
    heading: "Трижды не удалось списать деньги с карты",
    lead: "Три дня не удавалось списать {amount} с сохранённой карты, поэтому автопополнение теперь выключено.",
    next: "Сохраните другую карту и включите его снова.",
  },
};

export const renewalMailTexts: Readonly<Record<Locale, Texts>> = { en, ru };
