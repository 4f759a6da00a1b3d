import type { Locale } from "@palisade/contract/texts/render";

/** The words of documents. They are frozen facts in two languages, so they belong here and not to screens. */
const en = {
  receipt: "Receipt",
  invoice: "Invoice",
  credit_note: "Credit note",
  issued: "Date of issue",
  "supplied.receipt": "Date of payment",
  "supplied.invoice": "Date of supply",
  "supplied.credit_note": "Date of refund",
  seller: "Seller",
  buyer: "Buyer",
  vatId: "VAT ID",
  description: "Description",
  net: "Net",
  rate: "VAT rate",
  tax: "VAT",
  total: "Total",
  sum: "Total amount",
  page: "Page {page} of {pages}",
  corrects: "Corrects {number}",
  period: "Period of service: {from} to {to} (UTC)",
  "paid.balance": "Paid from the account balance",
  "paid.stripe": "Paid by card or bank",
  "paid.paypal": "Paid by PayPal",
  "refunded.balance": "Returned to the account balance",
  "refunded.stripe": "Returned to the card or bank account",
  "refunded.paypal": "Returned by PayPal",
  "note.top_up": "Payment on account. VAT is shown on the invoices of what is bought with it.",
  "note.none": "No VAT is charged.",
  "note.domestic": "",
  "note.destination": "VAT of {country}.",
  "note.reverse_charge":
    "Reverse charge: the recipient of the service owes the VAT (Article 196 of Directive 2006/112/EC).",
  "note.outside": "The recipient is outside the European Union: no VAT is charged.",
  sandbox: "Sandbox: no money has moved, and this document is only a sample.",
  "about.top_up": "Top-up of the account balance",
  "about.purchase": "Game Shield {server}, plan {plan}",
  "about.renewal": "Renewal of Game Shield {server}, plan {plan}",
  "about.purchase.support": "Support plan {plan}",
  "about.renewal.support": "Renewal of support plan {plan}",
  "about.refund": "Refund",
  "about.dispute": "Disputed payment",
  "about.service": "Service",
  "about.correction": "Correction",
};

type DocumentText = keyof typeof en;

const ru: Record<DocumentText, string> = {
  receipt: "Квитанция",
  invoice: "Счёт-фактура",
  credit_note: "Корректировочный счёт",
  issued: "Дата выставления",
  "supplied.receipt": "Дата оплаты",
  "supplied.invoice": "Дата оказания услуги",
  "supplied.credit_note": "Дата возврата",
  seller: "Продавец",
  buyer: "Покупатель",
  vatId: "Номер плательщика НДС",
  description: "Наименование",
  net: "Без НДС",
  rate: "Ставка НДС",
  tax: "НДС",
  total: "Всего",
  sum: "Итого",
  page: "Страница {page} из {pages}",
  corrects: "Корректирует {number}",
  period: "Период обслуживания: с {from} по {to} (UTC)",
  "paid.balance": "Оплачено с баланса аккаунта",
  "paid.stripe": "Оплачено картой или через банк",
  "paid.paypal": "Оплачено через PayPal",
  "refunded.balance": "Возвращено на баланс аккаунта",
  "refunded.stripe": "Возвращено на карту или банковский счёт",
  "refunded.paypal": "Возвращено через PayPal",
  "note.top_up": "Пополнение баланса. НДС указан в счетах на то, что с него оплачено.",
  "note.none": "НДС не взимается.",
  "note.domestic": "",
  "note.destination": "НДС страны: {country}.",
  "note.reverse_charge":
    "Reverse charge (обратное начисление): НДС уплачивает получатель услуги (статья 196 Директивы 2006/112/ЕС).",
  "note.outside": "Получатель находится за пределами Европейского союза: НДС не взимается.",
  sandbox: "Тестовая среда: деньги не переводились, этот документ — лишь образец.",
  "about.top_up": "Пополнение баланса аккаунта",
  "about.purchase": "Game Shield {server}, тариф {plan}",
  "about.renewal": "Продление Game Shield {server}, тариф {plan}",
  "about.purchase.support": "План поддержки {plan}",
  "about.renewal.support": "Продление плана поддержки {plan}",
  "about.refund": "Возврат",
  "about.dispute": "Оспоренный платёж",
  "about.service": "Услуга",
  "about.correction": "Исправление",
};

const texts: Readonly<Record<Locale, Record<DocumentText, string>>> = { en, ru };

/** The text with `{name}` replaced from `values`, which are never read as templates themselves. */
export function documentText(
  locale: Locale,
  key: DocumentText,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return texts[locale][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
