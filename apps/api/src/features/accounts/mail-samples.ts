/** What mails are looked at with. */
export const sampleCauseUnproven = {
  at: "2026-11-21T18:04:00Z",
  device: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};
export const sampleCause = { ...sampleCauseUnproven, ip: "2001:db8:85a3::8a2e:370:7334" };
