import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { declineStepUp, useStepUp } from "#src/api/step-up.ts";
import { closeModal, useModal } from "#src/lib/modals.ts";

const RechargeModal = lazy(async () => ({
  default: (await import("#src/features/billing/recharge/recharge-modal.tsx")).RechargeModal,
}));
const PaymentMethodModal = lazy(async () => ({
  default: (await import("#src/features/billing/payment-method-modal.tsx")).PaymentMethodModal,
}));

const StepUpDialog = lazy(async () => ({
  default: (await import("#src/features/profile/step-up/step-up-dialog.tsx")).StepUpDialog,
}));

/** Shows the open modal over whatever page is there; leaving the page closes it. */
export function ModalHost() {
  const { pathname } = useLocation();
  return (
    <>
      <CloseOnLeave key={pathname} />
      <Suspense fallback={null}>
        <OpenModal />
      </Suspense>
    </>
  );
}

/** Beside what may suspend, whose effects come and go with its loading. */
function CloseOnLeave() {
  useEffect(() => closeModal, []);
  return null;
}

function OpenModal() {
  const { openModalName, modalPayload } = useModal();
  switch (openModalName) {
    case "recharge balance":
      return <RechargeModal suggested={modalPayload?.amount} onClose={closeModal} />;
    case "add payment method":
      return <PaymentMethodModal onClose={closeModal} />;
    case null:
      return null;
    default:
      return openModalName satisfies never;
  }
}

/** Asks who is there whenever the server wants to know, above whatever page or dialog asked. */
export function StepUpHost() {
  const { asked } = useStepUp();
  const place = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <>
      <DeclineOnLeave key={place} />
      {asked === null ? null : (
        <Suspense fallback={null}>
          <StepUpDialog onConfirmed={asked.confirmed} onDeclined={asked.declined} />
        </Suspense>
      )}
    </>
  );
}

/** Who leaves the page that asked, by the back button or for the login, answers no. */
function DeclineOnLeave() {
  useEffect(() => declineStepUp, []);
  return null;
}
