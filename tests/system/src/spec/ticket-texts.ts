import { letters, missing, type FieldRule, type Texts } from "./rules.ts";

/** Texts of the pages of tickets, word for word, and the rules of a new ticket. */

const category = { en: "Select category", ru: "Выберите категорию" };
const severity = { en: "Select severity", ru: "Выберите важность" };
const required = { en: "Required", ru: "Обязательное поле" };
const subjectMin = { en: "Min 3 chars", ru: "Минимум 3 символа" };
const messageMin = { en: "Min 5 chars", ru: "Минимум 5 символов" };
const subjectMax = { en: "At most 150 characters", ru: "Не больше 150 символов" };
const messageMax = { en: "At most 10,000 characters", ru: "Не больше 10 000 символов" };

export const rightTicket = {
  category: "technical",
  severity: "high",
  subject: "Players time out",
  message: "Since noon, at the login.",
};

export const ticketRules: readonly FieldRule[] = [
  { field: "category", value: missing, typed: null, ...category },
  { field: "category", value: "", typed: "", ...category },
  { field: "category", value: "gardening", typed: null, ...category },
  { field: "severity", value: missing, typed: null, ...severity },
  { field: "severity", value: "", typed: "", ...severity },
  { field: "severity", value: "urgent", typed: null, ...severity },
  { field: "subject", value: missing, typed: null, ...required },
  { field: "subject", value: "", typed: "", ...required },
  { field: "subject", value: "ab", typed: "ab", ...subjectMin },
  { field: "subject", value: letters(151), typed: null, ...subjectMax },
  { field: "message", value: missing, typed: null, ...required },
  { field: "message", value: "", typed: "", ...required },
  { field: "message", value: "abcd", typed: "abcd", ...messageMin },
  { field: "message", value: letters(10_001), typed: null, ...messageMax },
];

/** `{file}` is the name of the file. */
export const attachmentTexts = {
  type: { en: "Invalid file type: {file}", ru: "Недопустимый тип файла: {file}" },
  tooBig: { en: "File too big: {file}", ru: "Слишком большой файл: {file}" },
  duplicate: { en: "Duplicate file: {file}", ru: "Файл уже добавлен: {file}" },
  max: { en: "Maximum files: 5", ru: "Максимум файлов: 5" },
} as const satisfies Record<string, Texts>;

export const ticketTexts = {
  newTicket: { en: "New ticket", ru: "Новое обращение" },
  create: { en: "Create ticket", ru: "Создать обращение" },
  cancel: { en: "Cancel", ru: "Отмена" },
  attach: { en: "Attach files", ru: "Прикрепить файлы" },
  center: { en: "Support Center", ru: "Центр поддержки" },
  categories: [
    { en: "Billing", ru: "Оплата" },
    { en: "Technical", ru: "Техника" },
    { en: "Sales", ru: "Продажи" },
  ],
  available: { en: "Available", ru: "Доступно" },
  none: { en: "No tickets found", ru: "Обращений не найдено" },
  statuses: {
    open: { en: "Opened", ru: "Открыто" },
    in_progress: { en: "In progress", ru: "В работе" },
    waiting_customer: { en: "Waiting", ru: "Ждёт ответа" },
    resolved: { en: "Resolved", ru: "Решено" },
    closed: { en: "Closed", ru: "Закрыто" },
  },
  notFound: { en: "Ticket not found", ru: "Обращение не найдено" },
  back: { en: "Go Back", ru: "Назад" },
  closed: { en: "Ticket closed!", ru: "Обращение закрыто!" },
  send: { en: "Send", ru: "Отправить" },
  close: { en: "Close", ru: "Закрыть" },
  confirmClose: { en: "Close ticket", ru: "Закрыть обращение" },
  reopen: { en: "Reopen", ru: "Открыть снова" },
  admin: { en: "Admin", ru: "Админ" },
  created: { en: "Ticket created successfully", ru: "Обращение создано" },
  closedDone: { en: "Ticket closed successfully", ru: "Обращение закрыто" },
  sent: { en: "Message sent successfully", ru: "Сообщение отправлено" },
  createFailed: { en: "Error creating ticket", ru: "Не удалось создать обращение" },
  listFailed: { en: "Error fetching tickets", ru: "Не удалось загрузить обращения" },
  readFailed: { en: "Error fetching ticket", ru: "Не удалось загрузить обращение" },
  closeFailed: { en: "Error closing ticket", ru: "Не удалось закрыть обращение" },
  sendFailed: { en: "Error sending message", ru: "Не удалось отправить сообщение" },
  replyToClosed: {
    en: "This ticket is closed. You cannot send messages.",
    ru: "Обращение закрыто. Отправлять сообщения нельзя.",
  },
  emptyReply: {
    en: "Please enter a message or attach files",
    ru: "Введите сообщение или прикрепите файлы",
  },
  downloadFailed: { en: "Failed to download file", ru: "Не удалось скачать файл" },
  imageFailed: { en: "Failed to load image", ru: "Не удалось загрузить изображение" },
  news: { en: "New message from support", ru: "Новое сообщение от поддержки" },
  connectionError: {
    en: "Connection error. Some features may not work properly.",
    ru: "Ошибка соединения. Некоторые функции могут не работать.",
  },
  refused: {
    en: "Authentication failed. Please refresh the page.",
    ru: "Не удалось подтвердить вход. Обновите страницу.",
  },
  connectionLost: {
    en: "Connection lost. Please refresh the page.",
    ru: "Соединение потеряно. Обновите страницу.",
  },
} as const;
