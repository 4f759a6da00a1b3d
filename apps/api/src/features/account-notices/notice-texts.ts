import type { Locale } from "@palisade/contract/texts/render";

interface NoticeText {
  readonly subject: string;
  readonly lead: string;
  /** The reader's next step. */
  readonly advice?: string;
  /** The next step of a reader who did not do this. */
  readonly remedy?: string;
}

const en = {
  "new-login": {
    subject: "New login to your account",
    lead: "Your account was logged in to from a device or network that was not used for it before.",
    remedy:
      "Change your password at once, which ends every session. Then look through your API keys and passkeys, and add a passkey or turn on two-factor authentication.",
  },
  "password-changed": {
    subject: "Your password was changed",
    lead: "The password of your account was changed, and every session was ended.",
    remedy: "Reset your password at once and write to support.",
  },
  "password-changed-keys-revoked": {
    subject: "Your password was changed",
    lead: "The password of your account was changed. Every session was ended, and every API key was revoked: programs that use them need new keys.",
    remedy: "Reset your password at once and write to support.",
  },
  "password-changed-keys-kept": {
    subject: "Your password was changed",
    lead: "The password of your account was changed, and every session was ended. Your API keys keep working, as was chosen with the change.",
    remedy: "Reset your password at once, which also revokes the API keys, and write to support.",
  },
  "two-factor-on": {
    subject: "Two-factor authentication is on",
    lead: "From now on, logging in to your account needs a code from your authenticator app or a backup code.",
    remedy: "Change your password at once and write to support.",
  },
  "two-factor-off": {
    subject: "Two-factor authentication is off",
    lead: "From now on, the password alone is enough to log in to your account.",
    remedy: "Change your password at once and turn it on again.",
  },
  "backup-codes-replaced": {
    subject: "New backup codes were made",
    lead: "Ten new backup codes were made for your account. The old ones no longer work.",
    remedy: "Change your password at once and make new codes.",
  },
  "backup-code-for-passkey": {
    subject: "A backup code was used instead of a passkey",
    lead: "A change to your account that needs a passkey was confirmed with one of your backup codes, which is now used up.",
    remedy: "Change your password at once and make new backup codes.",
  },
  "two-factor-removed": {
    subject: "Two-factor authentication was turned off for your account",
    lead: "We were asked to let you log in without your authenticator app and passkeys, and removed them from your account. From now on, the password alone is enough, and every session was ended.",
    remedy: "Change your password at once and turn it on again.",
  },
  "passkey-added": {
    subject: "A passkey was added",
    lead: "The passkey “{name}” was added to your account. It can be used to log in without the password.",
    remedy: "Change your password at once and write to support: the passkey has to be removed.",
  },
  "passkey-removed": {
    subject: "A passkey was removed",
    lead: "The passkey “{name}” was removed from your account. It can no longer be used to log in.",
    remedy: "Change your password at once and write to support.",
  },
  "email-change-requested": {
    subject: "A new e-mail was entered for your account",
    lead: "We have sent a link to {email}. Until it is opened, this address stays the one you log in with.",
    remedy: "Change your password at once: another person has access to your account.",
  },
  "email-changed": {
    subject: "The e-mail of your account was changed",
    lead: "Your account now belongs to {email}, and every session was ended.",
    remedy: "Write to support at once, from this address.",
  },
  "api-key-regenerated": {
    subject: "A new API key was made",
    lead: "The API key of your profile was replaced. The old one no longer works.",
    remedy: "Change your password and make another key.",
  },
  "api-key-created": {
    subject: "An API key was added",
    lead: "The API key “{name}” was added to your account.",
    remedy: "Change your password and delete the key.",
  },
  "api-key-expiring": {
    subject: "An API key expires soon",
    lead: "Your API key “{name}” expires in less than three days. Programs that use it will then be refused.",
    advice: "Create a new key in your profile and replace this one before then.",
  },
  "account-deleted": {
    subject: "Your account was deleted",
    lead: "Your account was deleted as you asked. We keep only accounting records and the audit log, without your name. Thank you for using Palisade.",
    remedy: "Write to support at once, from this address.",
  },
} as const satisfies Record<string, NoticeText>;

export type AccountNotice = keyof typeof en;
/** Every kind there is. */
// The keys of the table are its type.
export const accountNotices = Object.keys(en) as AccountNotice[];

const ru: Record<AccountNotice, NoticeText> = {
  "new-login": {
    subject: "Новый вход в ваш аккаунт",
    lead: "В ваш аккаунт вошли с устройства или из сети, которые для него раньше не использовались.",
    remedy:
      "Сразу смените пароль: это завершит все сеансы. Затем проверьте ключи API и ключи доступа и добавьте ключ доступа или включите двухфакторную аутентификацию.",
  },
  "password-changed": {
    subject: "Ваш пароль изменён",
    lead: "Пароль вашего аккаунта изменён, все сеансы завершены.",
    remedy: "Сразу сбросьте пароль и напишите в поддержку.",
  },
  "password-changed-keys-revoked": {
    subject: "Ваш пароль изменён",
    lead: "Пароль вашего аккаунта изменён. Все сеансы завершены, все ключи API отозваны: программам, которые ими пользуются, нужны новые ключи.",
    remedy: "Сразу сбросьте пароль и напишите в поддержку.",
  },
  "password-changed-keys-kept": {
    subject: "Ваш пароль изменён",
    lead: "Пароль вашего аккаунта изменён, все сеансы завершены. Ключи API по-прежнему действуют: так было выбрано при смене пароля.",
    remedy: "Сразу сбросьте пароль (это отзовёт и ключи API) и напишите в поддержку.",
  },
  "two-factor-on": {
    subject: "Двухфакторная аутентификация включена",
    lead: "Теперь для входа в аккаунт нужен код из приложения-аутентификатора или резервный код.",
    remedy: "Сразу смените пароль и напишите в поддержку.",
  },
  "two-factor-off": {
    subject: "Двухфакторная аутентификация отключена",
    lead: "Теперь для входа в аккаунт достаточно одного пароля.",
    remedy: "Сразу смените пароль и включите её снова.",
  },
  "backup-codes-replaced": {
    subject: "Созданы новые резервные коды",
    lead: "Для вашего аккаунта созданы десять новых резервных кодов. Прежние больше не действуют.",
    remedy: "Сразу смените пароль и создайте новые коды.",
  },
  "backup-code-for-passkey": {
    subject: "Резервный код использован вместо ключа доступа",
    lead: "Действие в вашем аккаунте, для которого нужен ключ доступа, подтверждено одним из ваших резервных кодов. Этот код больше не действует.",
    remedy: "Сразу смените пароль и создайте новые резервные коды.",
  },
  "two-factor-removed": {
    subject: "Двухфакторная аутентификация отключена для вашего аккаунта",
    lead: "Нас попросили разрешить вам вход без приложения-аутентификатора и ключей доступа, и мы удалили их из аккаунта. Теперь достаточно одного пароля, все сеансы завершены.",
    remedy: "Сразу смените пароль и включите её снова.",
  },
  "passkey-added": {
    subject: "Добавлен ключ доступа",
    lead: "К вашему аккаунту добавлен ключ доступа «{name}». С ним можно войти без пароля.",
    remedy: "Сразу смените пароль и напишите в поддержку: этот ключ доступа нужно удалить.",
  },
  "passkey-removed": {
    subject: "Удалён ключ доступа",
    lead: "Из вашего аккаунта удалён ключ доступа «{name}». Войти с ним больше нельзя.",
    remedy: "Сразу смените пароль и напишите в поддержку.",
  },
  "email-change-requested": {
    subject: "Для вашего аккаунта указан новый e-mail",
    lead: "Мы отправили ссылку на {email}. Пока её не откроют, вы входите с прежним адресом.",
    remedy: "Сразу смените пароль: доступ к вашему аккаунту есть у другого человека.",
  },
  "email-changed": {
    subject: "E-mail вашего аккаунта изменён",
    lead: "Теперь ваш аккаунт привязан к {email}, все сеансы завершены.",
    remedy: "Сразу напишите в поддержку с этого адреса.",
  },
  "api-key-regenerated": {
    subject: "Создан новый ключ API",
    lead: "Ключ API вашего профиля заменён. Старый больше не действует.",
    remedy: "Смените пароль и создайте ключ ещё раз.",
  },
  "api-key-created": {
    subject: "Добавлен ключ API",
    lead: "К вашему аккаунту добавлен ключ API «{name}».",
    remedy: "Смените пароль и удалите ключ.",
  },
  "api-key-expiring": {
    subject: "Срок ключа API скоро истечёт",
    lead: "Ваш ключ API «{name}» перестанет действовать меньше чем через три дня. После этого запросы программ с этим ключом будут отклоняться.",
    advice: "Добавьте в профиле новый ключ и замените им этот.",
  },
  "account-deleted": {
    subject: "Ваш аккаунт удалён",
    lead: "Ваш аккаунт удалён по вашей просьбе. Остались лишь бухгалтерские записи и журнал аудита, без вашего имени. Спасибо, что пользовались Palisade.",
    remedy: "Сразу напишите в поддержку с этого адреса.",
  },
};

const notYou = { en: "If this was not you", ru: "Если это были не вы" };

/** A notice in words. Names in it are not escaped: the caller does that. */
export function noticeText(
  locale: Locale,
  notice: AccountNotice,
  values: Readonly<Record<string, string | number>>,
): NoticeText {
  const text: NoticeText = { en, ru }[locale][notice];
  const lead = text.lead.replace(/\{(\w+)\}/, (whole, name: string) =>
    String(values[name] ?? whole),
  );
  return { ...text, lead };
}

/** The same as a message of a chat. */
export function noticeMessage(
  locale: Locale,
  notice: AccountNotice,
  values: Readonly<Record<string, string | number>>,
): string {
  const { subject, lead, advice, remedy } = noticeText(locale, notice, values);
  const next = remedy === undefined ? advice : `${notYou[locale]}: ${lowerFirst(remedy)}`;
  return [`**${subject}**`, lead, ...(next === undefined ? [] : [next])].join("\n");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
