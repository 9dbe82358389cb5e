"use client";

import { Failure } from "@/components/shell/failure";

export default function ErrorPage({ error, retry }: { error: Error; retry: () => void }) {
  return <Failure error={error} retry={retry} />;
}
