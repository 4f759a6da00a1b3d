import type { Locale } from "@palisade/contract/texts/render";

export interface SandboxTexts {
  readonly title: string;
  readonly badge: string;
  readonly notice: string;
  readonly methods: { readonly stripe: string; readonly paypal: string };
  readonly method: string;
  readonly to: string;
  readonly amount: string;
  readonly pay: string;
  readonly cancel: string;
  readonly back: string;
  readonly paid: string;
  readonly cancelled: string;
  readonly expired: string;
  readonly unknownTitle: string;
  readonly unknown: string;
  readonly refused: string;
}

/** Texts of the sandbox's checkout page, which does not belong to the console. */
export const sandboxTexts: Readonly<Record<Locale, SandboxTexts>> = {
  en: {
    title: "Sandbox checkout",
    badge: "Sandbox",
    notice: "This is a test page. No money moves, and you need no card or account.",
    methods: { stripe: "Card or bank (Stripe)", paypal: "PayPal" },
    method: "Stands in for",
    to: "Paid to",
    amount: "Amount",
    pay: "Pay {amount}",
    cancel: "Cancel",
    back: "Back to billing",
    paid: "This checkout has been paid.",
    cancelled: "This checkout was cancelled. Nothing was taken.",
    expired: "This checkout has expired. Nothing was taken.",
    unknownTitle: "No such checkout",
    unknown: "The address is incomplete or wrong. Start again from the billing page.",
    refused: "This form was not sent by the checkout page. Nothing was taken.",
  },
  ru: {
    title: "Тестовая оплата",
    badge: "Песочница",
    notice: "Это тестовая страница. Деньги не списываются, данные карты и счёта не нужны.",
    methods: { stripe: "Карта или банк (Stripe)", paypal: "PayPal" },
    method: "Вместо",
    to: "Получатель",
    amount: "Сумма",
    pay: "Оплатить {amount}",
    cancel: "Отменить",
    back: "Назад к оплате",
    paid: "Этот заказ уже оплачен.",
    cancelled: "Оплата отменена. Ничего не списано.",
    expired: "Срок оплаты истёк. Ничего не списано.",
    unknownTitle: "Такой оплаты нет",
    unknown: "Адрес неполный или неверный. Начните снова со страницы оплаты.",
    refused: "Форма отправлена не со страницы оплаты. Ничего не списано.",
  },
};
