import { Trans } from "@lingui/react/macro";
import type { UsualAnswer } from "@palisade/contract/http/usual-answer";
import { duration } from "@palisade/contract/texts/duration";
import { useLocale } from "#src/lib/preferences.ts";

/** 'Usually answered within …', as measured or as the support plan means it. */
export function UsualAnswerText({ answer }: { answer: UsualAnswer }) {
  const { locale } = useLocale();
  const time = duration(locale, answer.usual_minutes * 60_000);
  return answer.hours === "always" ? (
    <Trans>Usually answered within {time}</Trans>
  ) : (
    <Trans>Usually answered within {time} of support hours</Trans>
  );
}
