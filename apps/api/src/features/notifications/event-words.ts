import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import type { Locale } from "@palisade/contract/texts/render";

const en = {
  open: "Open the Game Shield",
  details: {
    server: "Game Shield",
    started: "Started",
    duration: "Duration",
    peak: "Peak, logins per second",
    datagrams: "Peak, Bedrock datagrams per second",
    sources: "Networks",
    refused: "Refused logins",
    level: "AntiBot level",
    group: "Backend group",
    address: "Address",
    edition: "Edition",
    since: "Since",
    domain: "Domain",
    endsAt: "End of the paid period",
    member: "Sub-user",
    role: "Role",
  },
  editions: { java: "Java", bedrock: "Bedrock" },
  /** Attacks by datagrams of Bedrock alone, without logins. */
  floods: {
    "attack.started":
      "Its Bedrock ports get more datagrams than players send. They open no connection; players can still join.",
    "attack.ended": "The number of datagrams at its Bedrock ports is back to normal.",
  },
  levels: { disabled: "Disabled", low: "Low", medium: "Medium", high: "High", extreme: "Extreme" },
  roles: { viewer: "Viewer", operator: "Operator", manager: "Manager", custom: "Custom" },
  events: {
    "attack.started": {
      title: "Attack on {server}",
      text: "More players log in than your threshold allows. Mitigation is active; players who are verified can still join.",
    },
    "attack.level_relaxed": {
      title: "Attack on {server}: AntiBot is relaxed",
      text: "Verified players had failed the checks, so the edges now check with a lower level.",
    },
    "attack.ended": {
      title: "Attack on {server} is over",
      text: "The number of logins is back to normal. Mitigation is no longer active.",
    },
    "backend.down": {
      title: "A server of {server} is down",
      text: "No edge reaches this server. Players are sent to the other servers of the group, or see the offline message.",
    },
    "backend.up": {
      title: "A server of {server} is back",
      text: "The edges reach this server again, and players can join it.",
    },
    "domain.lost": {
      title: "{server}: {domain} no longer leads to it",
      text: "Players who use this domain may bypass the protection or not find your server. Check its DNS records.",
    },
    "traffic.warning": {
      title: "{server} has used {percent} % of its traffic",
      text: "The traffic of the plan starts anew on the 1st of the month. A larger plan has more.",
    },
    "traffic.used_up": {
      title: "{server} has used all of its traffic",
      text: "Players can still join for some days. A larger plan has more traffic; it starts anew on the 1st of the month.",
    },
    "plan.renewed": {
      title: "{server} is renewed",
      text: "The next period is paid. You need to do nothing.",
    },
    "plan.renewal_failed": {
      title: "{server} could not be renewed",
      text: "The payment failed. Top up the balance or change the card, so that the protection does not end.",
    },
    "plan.expired": {
      title: "{server} has expired",
      text: "New players can no longer join. Renew the Game Shield to bring it back.",
    },
    "member.joined": {
      title: "{server} has a new sub-user",
      text: "A person you invited now has access.",
    },
    "webhook.test": {
      title: "Test message for {server}",
      text: "This webhook works. You will get the events here that you chose.",
    },
  },
};

export type EventWords = Omit<typeof en, "events"> & {
  readonly events: Readonly<
    Record<WebhookEventType, { readonly title: string; readonly text: string }>
  >;
};

const ru: EventWords = {
  open: "Открыть щит",
  details: {
    server: "Щит",
    started: "Начало",
    duration: "Длительность",
    peak: "Пик, входов в секунду",
    datagrams: "Пик, датаграмм Bedrock в секунду",
    sources: "Сетей",
    refused: "Отклонено входов",
    level: "Уровень AntiBot",
    group: "Группа бэкендов",
    address: "Адрес",
    edition: "Издание",
    since: "С",
    domain: "Домен",
    endsAt: "Оплачено до",
    member: "Субпользователь",
    role: "Роль",
  },
  editions: { java: "Java", bedrock: "Bedrock" },
  floods: {
    "attack.started":
      "На порты Bedrock приходит больше датаграмм, чем отправляют игроки. Подключений они не открывают, игроки по-прежнему могут зайти.",
    "attack.ended": "Число датаграмм на портах Bedrock снова обычное.",
  },
  levels: {
    disabled: "Выключен",
    low: "Низкий",
    medium: "Средний",
    high: "Высокий",
    extreme: "Максимальный",
  },
  roles: { viewer: "Наблюдатель", operator: "Оператор", manager: "Управляющий", custom: "Особая" },
  events: {
    "attack.started": {
      title: "Атака на {server}",
      text: "Входов больше, чем допускает ваш порог. Защита включена; проверенные игроки по-прежнему могут зайти.",
    },
    "attack.level_relaxed": {
      title: "Атака на {server}: AntiBot ослаблен",
      text: "Проверенные игроки не проходили проверку, поэтому узлы проверяют теперь с более низким уровнем.",
    },
    "attack.ended": {
      title: "Атака на {server} закончилась",
      text: "Число входов снова обычное. Защита больше не активна.",
    },
    "backend.down": {
      title: "Сервер щита {server} недоступен",
      text: "Ни один узел не достигает этого сервера. Игроки попадают на другие серверы группы или видят сообщение об офлайне.",
    },
    "backend.up": {
      title: "Сервер щита {server} снова доступен",
      text: "Узлы снова достигают этого сервера, игроки могут на него зайти.",
    },
    "domain.lost": {
      title: "{server}: {domain} больше не ведёт на него",
      text: "Игроки с этим адресом могут обходить защиту или не находить сервер. Проверьте DNS-записи.",
    },
    "traffic.warning": {
      title: "{server}: израсходовано {percent} % трафика",
      text: "Трафик тарифа обновляется 1-го числа. На большем тарифе его больше.",
    },
    "traffic.used_up": {
      title: "{server}: трафик израсходован",
      text: "Ещё несколько дней игроки могут заходить. На большем тарифе трафика больше; 1-го числа он обновится.",
    },
    "plan.renewed": {
      title: "{server} продлён",
      text: "Следующий период оплачен. Делать ничего не нужно.",
    },
    "plan.renewal_failed": {
      title: "{server} не удалось продлить",
      text: "Платёж не прошёл. Пополните баланс или смените карту, чтобы защита не закончилась.",
    },
    "plan.expired": {
      title: "Срок {server} истёк",
      text: "Новые игроки больше не могут зайти. Продлите щит, чтобы вернуть его.",
    },
    "member.joined": {
      title: "У {server} новый субпользователь",
      text: "У приглашённого вами человека теперь есть доступ.",
    },
    "webhook.test": {
      title: "Тестовое сообщение для {server}",
      text: "Этот вебхук работает. Сюда придут выбранные вами события.",
    },
  },
};

export const words: Readonly<Record<Locale, EventWords>> = { en, ru };
