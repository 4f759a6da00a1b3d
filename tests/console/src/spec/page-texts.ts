import type { Texts } from "@palisade/system-tests/spec/rules";

/**
 * The binding texts of the pages, word for word, in English and Russian.
 * Texts of fields are in the tables of rules.
 */

const same = (text: string): Texts => ({ en: text, ru: text });

export const wizardTexts = {
  steps: [
    { en: "Choose plan", ru: "Выбор тарифа" },
    { en: "Enter server name", ru: "Название сервера" },
    { en: "Add server IP", ru: "IP сервера" },
    { en: "Choose protection location", ru: "Локация защиты" },
    { en: "Domain settings", ru: "Настройка домена" },
    { en: "Confirmation", ru: "Подтверждение" },
  ],
  next: { en: "Next", ru: "Далее" },
  back: { en: "Back", ru: "Назад" },
  check: { en: "Check", ru: "Проверить" },
  skip: { en: "Skip check", ru: "Пропустить проверку" },
  create: { en: "Create GameShield", ru: "Создать GameShield" },
  name: { en: "Server name", ru: "Название сервера" },
  ip: { en: "Real IP", ru: "Реальный IP" },
  port: { en: "Real port", ru: "Реальный порт" },
  domain: { en: "Domain", ru: "Домен" },
  insufficient: { en: "Insufficient funds", ru: "Недостаточно средств" },
  invalid: { en: "Please enter valid data", ru: "Введите корректные данные" },
  inUse: { en: "This domain is already in use", ru: "Этот домен уже используется" },
  domainError: {
    en: "Error checking domain availability",
    ru: "Ошибка при проверке доступности домена",
  },
  noCname: {
    en: "CNAME is not generated yet. Please wait.",
    ru: "CNAME ещё не создан. Подождите.",
  },
  cnameWrong: {
    en: "CNAME record is not set up correctly.",
    ru: "CNAME-запись настроена неверно.",
  },
  cnameError: { en: "Error checking CNAME", ru: "Ошибка при проверке CNAME" },
  cnameRight: {
    en: "CNAME record is correctly set up!",
    ru: "CNAME-запись настроена верно!",
  },
  debited: {
    en: "The plan price is debited from the balance immediately.",
    ru: "Стоимость тарифа сразу списывается с баланса.",
  },
  createError: { en: "Error creating GameShield", ru: "Не удалось создать GameShield" },
  created: { en: "GameShield created!", ru: "GameShield создан!" },
} as const;

export const dashboardTexts = {
  servers: { en: "Your servers", ru: "Ваши серверы" },
  add: { en: "Add server", ru: "Добавить сервер" },
  stats: [
    { en: "Account balance", ru: "Баланс аккаунта" },
    { en: "Blocked packets", ru: "Заблокировано пакетов" },
    { en: "Your game shields", ru: "Ваши щиты" },
    { en: "Average online", ru: "Средний онлайн" },
  ],
  empty: [
    { en: "Nothing to display", ru: "Здесь пока пусто" },
    {
      en: "You have not created any Game Shields yet.",
      ru: "Вы ещё не создали ни одного Game Shield.",
    },
    { en: "Create one", ru: "Создать" },
  ],
  owned: { en: "owned", ru: "мой" },
  errors: [
    { en: "Error fetching dashboard info", ru: "Не удалось загрузить данные панели" },
    { en: "Error fetching servers", ru: "Не удалось загрузить серверы" },
  ],
} as const;

export const overviewTexts = {
  never: { en: "Never", ru: "Никогда" },
  renewal: { en: "Automatic renewal", ru: "Автоматическое продление" },
  balance: { en: "Include account balance", ru: "Использовать баланс аккаунта" },
  renewalChanged: { en: "Automatic renewal changed", ru: "Автоматическое продление изменено" },
  balanceChanged: {
    en: "Include account balance changed",
    ru: "Использование баланса изменено",
  },
  failed: {
    en: "Failed to update server overview",
    ru: "Не удалось сохранить настройки продления",
  },
  renewalLocked: {
    en: "Server must be active to change renewal settings",
    ru: "Чтобы менять настройки продления, сервер должен быть активен",
  },
  balanceLocked: {
    en: "Server must be active to change balance settings",
    ru: "Чтобы менять настройки баланса, сервер должен быть активен",
  },
} as const;

export const rechargeTexts = {
  open: { en: "Recharge balance", ru: "Пополнить баланс" },
  amount: { en: "Amount", ru: "Сумма" },
  coupon: { en: "Promo code (optional)", ru: "Промокод (необязательно)" },
  apply: { en: "Apply", ru: "Применить" },
  pay: { en: /^Pay/, ru: /^Оплатить/ },
  amountFirst: { en: "Enter valid amount first", ru: "Сначала введите корректную сумму" },
  applied: { en: "Promo code applied!", ru: "Промокод применён!" },
  badCode: { en: "Invalid promo code", ru: "Неверный промокод" },
  error: { en: "Error", ru: "Ошибка" },
  summary: [
    { en: "You pay", ru: "Вы платите" },
    { en: "Bonus", ru: "Бонус" },
    { en: "Tax 0%", ru: "Налог 0%" },
    { en: "Credited", ru: "К зачислению" },
  ],
  columns: [
    { en: "Date", ru: "Дата" },
    { en: "Transaction ID", ru: "Номер операции" },
    { en: "Type", ru: "Тип" },
    { en: "Payment Method", ru: "Способ оплаты" },
    { en: "Amount", ru: "Сумма" },
    { en: "Status", ru: "Статус" },
  ],
  empty: { en: "No data to display", ru: "Нет данных для отображения" },
  paypal: same("PayPal"),
} as const;
