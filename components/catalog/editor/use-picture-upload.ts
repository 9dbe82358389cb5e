import { useTranslations } from "next-intl";
import { useState } from "react";
import { useImageCall } from "@/components/catalog/editor/audience";
import type { UploadedImage } from "@/lib/catalog/console/contract-editor";
import { UPLOAD_LIMIT_BYTES, UPLOAD_TYPES } from "@/lib/catalog/images/rules";
import { api } from "@/lib/platform/api/client";

const MEGABYTE = 1024 * 1024;

/** Uploads a picture to the shop, which stores one drawn from it. `refusal`: why the last file was not taken. */
export function usePictureUpload(onStored: (picture: UploadedImage) => void) {
  const t = useTranslations("console.editor");
  const errors = useTranslations("errors");
  const imageCall = useImageCall();
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState("");

  async function upload(file: File | undefined): Promise<void> {
    if (!file || pending) return;
    setRefusal("");
    if (!UPLOAD_TYPES.includes(file.type)) return setRefusal(t("picture.type"));
    if (file.size > UPLOAD_LIMIT_BYTES)
      return setRefusal(t("picture.size", { limit: UPLOAD_LIMIT_BYTES / MEGABYTE }));
    setPending(true);
    const options = { networkMessage: errors("network") };
    const result = await api.file(imageCall, { content: file, type: file.type }, {}, options);
    setPending(false);
    if (result.ok) onStored(result.data);
    else setRefusal(result.message);
  }
  return { upload, pending, refusal };
}
