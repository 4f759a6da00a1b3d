import { describe, expect, test } from "vitest";
import { rankCommands, type Command } from "./rank.ts";

const command = (label: string, keywords = ""): Command => ({
  id: label,
  label,
  keywords,
  run: () => undefined,
});
const commands = [
  command("Dashboard"),
  command("Skyline: Firewall", "play.example.com"),
  command("Firewall of Lobby"),
];
const found = (typed: string) => rankCommands(commands, typed).map(({ label }) => label);

describe("rankCommands", () => {
  test("an empty query keeps every command in its order", () => {
    expect(found("  ")).toEqual(["Dashboard", "Skyline: Firewall", "Firewall of Lobby"]);
  });

  test("a command that needs typing is hidden in the empty list", () => {
    const many = [command("Dashboard"), { ...command("Lobby: Doctor"), onlyTyped: true }];
    const labels = (typed: string) => rankCommands(many, typed).map(({ label }) => label);
    expect(labels("")).toEqual(["Dashboard"]);
    expect(labels("doc")).toEqual(["Lobby: Doctor"]);
  });

  test("a label that begins with the word comes first", () => {
    expect(found("FIRE")).toEqual(["Firewall of Lobby", "Skyline: Firewall"]);
  });

  test("all words must occur, in the label or the keywords", () => {
    expect(found("fire play.ex")).toEqual(["Skyline: Firewall"]);
    expect(found("nothing")).toEqual([]);
  });
});
