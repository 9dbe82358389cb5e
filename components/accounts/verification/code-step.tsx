"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeInput } from "@/components/ui/code-input";
import { Countdown } from "@/components/ui/countdown";
import { Notice } from "@/components/ui/notice";
import { serverNow } from "@/components/ui/server-clock";
import type { SentCode } from "./use-code";
import type { CodeLabels } from "./use-code-labels";

/** The field for an emailed code, with the delivery status and a resend control after the countdown. */
export function CodeStep({
  sent,
  error,
  resending,
  labels,
  onResend,
}: {
  sent: SentCode;
  error?: string;
  resending: boolean;
  labels: CodeLabels;
  onResend: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is focused again after each code that is sent
  useEffect(() => box.current?.querySelector("input")?.focus(), [sent.requestedAt]);
  const sentText = sent.refusal === "already" ? labels.already : labels.sent;

  return (
    <div ref={box} className="flex flex-col gap-4">
      {typeof sent.refusal === "object" && (
        <Notice kind="warn" title={sent.refusal.message} live>
          {labels.stillValid}
        </Notice>
      )}
      <CodeInput
        name="verification_code"
        label={labels.label}
        error={error}
        hint={
          typeof sent.refusal === "object" ? undefined : (
            <>
              <span className="wrap-anywhere">{sentText.replace("%s", () => sent.email)}</span> {labels.spam}
            </>
          )
        }
      />
      <Resend key={sent.requestedAt} sent={sent} pending={resending} labels={labels} onResend={onResend} />
    </div>
  );
}

type ResendProps = { sent: SentCode; pending: boolean; labels: CodeLabels; onResend: () => void };

function Resend({ sent, pending, labels, onResend }: ResendProps) {
  const [canResend, setCanResend] = useState(false);
  const [now] = useState(() => serverNow());
  return (
    <div className="-my-1 flex min-h-11 items-center text-quiet">
      {canResend ? (
        <Button look="quiet" pending={pending} onClick={onResend} className="-ml-3">
          {labels.resend}
        </Button>
      ) : (
        <p className="text-13">
          <span aria-hidden="true">{labels.resendIn} </span>
          <Countdown
            now={now}
            endsAt={sent.resendAt}
            dayUnit={labels.day}
            spoken={labels.resendSpoken}
            onEnd={() => setCanResend(true)}
          />
        </p>
      )}
    </div>
  );
}
