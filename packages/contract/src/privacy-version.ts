/** Year and month of the terms and the privacy policy: on their pages, and kept with an acceptance. */
export const privacyVersion = "2026-11";
