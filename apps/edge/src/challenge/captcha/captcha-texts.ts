/** Lines that players read in their chat while they solve a captcha, in the language of their game. */
interface CaptchaTexts {
  readonly ask: string;
  readonly askByCommand: string;
  readonly reload: string;
  /** If the owner gives the code as text to players who ask for it. */
  readonly askForText: string;
  readonly wait: string;
  readonly form: string;
  readonly wrong: (triesLeft: number) => string;
  readonly reloaded: (reloadsLeft: number) => string;
  readonly noReload: string;
  readonly code: (code: string) => string;
  readonly noText: string;
}

const en: CaptchaTexts = {
  ask: "§eLook down at the map in your hand and type its code in the chat. §7Small letters are fine.",
  askByCommand: "§7If you cannot chat, type §f/code §7and then the code.",
  reload: "§7Press another number key, 1 to 9, for a new picture.",
  askForText: "§7Cannot read the map? Type §ftext §7or §f/code text §7to get the code as text.",
  wait: "§7Your picture is being drawn. One moment, please.",
  form: "§7The code on the map has 4 or 5 letters and digits.",
  wrong: (triesLeft) => `§cThat is not the code. §7Here is a new picture. Tries left: ${triesLeft}`,
  reloaded: (reloadsLeft) => `§7Here is a new picture. More pictures left: ${reloadsLeft}`,
  noReload: "§7There are no more new pictures. Please type the code of this one.",
  code: (code) => `§eThe code is: §f${code}`,
  noText: "§7This server does not give the code as text.",
};

const ru: CaptchaTexts = {
  ask: "§eПосмотрите вниз на карту в руке и напишите код с неё в чат. §7Регистр букв не важен.",
  askByCommand: "§7Если чат недоступен, введите §f/code §7и код.",
  reload: "§7Нажмите другую цифру, от 1 до 9, чтобы получить новую картинку.",
  askForText:
    "§7Не можете прочитать карту? Напишите §ftext §7или §f/code text§7, и код придёт текстом.",
  wait: "§7Картинка рисуется, подождите немного.",
  form: "§7Код на карте состоит из 4 или 5 букв и цифр.",
  wrong: (triesLeft) => `§cКод неверный. §7Вот новая картинка. Осталось попыток: ${triesLeft}`,
  reloaded: (reloadsLeft) => `§7Вот новая картинка. Осталось замен: ${reloadsLeft}`,
  noReload: "§7Новых картинок больше нет. Введите код с этой.",
  code: (code) => `§eКод: §f${code}`,
  noText: "§7Этот сервер не показывает код текстом.",
};

export const captchaTexts = { en, ru } as const satisfies Record<"en" | "ru", CaptchaTexts>;
