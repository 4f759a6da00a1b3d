import { expect, test } from "vitest";
import { rankArticles } from "./rank-articles.ts";

const articles = [
  { title: "Players cannot join", keywords: "kick disconnect timeout connection" },
  { title: "Point your domain to us", keywords: "dns cname record" },
  { title: "Игроки не могут зайти", keywords: "кик отключение соединение" },
  { title: "Refunds", keywords: "money back payment" },
  { title: "Payments", keywords: "card paypal balance payment" },
];
const titles = (subject: string) => rankArticles(articles, subject).map(({ title }) => title);

test("an article is found by any form of its words, in both languages", () => {
  expect(titles("joining the server")).toEqual(["Players cannot join"]);
  expect(titles("Мои игроки отключаются")).toEqual(["Игроки не могут зайти"]);
});

test("a word of the title counts more than a keyword", () => {
  expect(titles("payments")).toEqual(["Payments", "Refunds"]);
});

test.each(["", "  ", "a b", "xylophone", "?!"])("nothing is suggested for '%s'", (subject) => {
  expect(titles(subject)).toEqual([]);
});
