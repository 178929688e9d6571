import type { Messages } from "../../messages.ts";

/** Words by which people look for a type of step, and what a setting of each step does instead of a type. */
export const addStep: Messages["addStep"] = {
  words: {
    input: "موافقة, اعتماد, شخص, إنسان, انتظار, رفع, ملف, نموذج, استمارة, بداية, سؤال, approval, form",
    code: "JavaScript, TypeScript, برنامج نصي, تحويل, تعيين, دالة, حلقة, تكرار, لكل, قائمة, script, loop",
    http_request: "بريد, HTTP, API, جلب, Webhook, REST, curl, URL, fetch, email",
    branch: "إذا, شرط, تصفية, وإلا, تفرع, قرار, switch, if",
    model: "LLM, ذكاء اصطناعي, AI, GPT, محادثة, مطالبة, وكيل, Claude",
    workflow: "سير عمل فرعي, استدعاء, تشغيل, subworkflow, call",
    browser: "استخراج, HTML, لقطة شاشة, موقع, scrape",
    note: "تعليق, ملاحظة, نص, comment",
  },
  loopWords: "حلقة, تكرار, لكل عنصر, loop, for each, foreach",
  loop: (when, forEach) => `يمكن لكل خطوة أن تتكرر. عيّن «${forEach}» في لوحتها ضمن «${when}».`,
  errorWords: "خطأ, فشل, إعادة المحاولة, التقاط, مهلة, catch, error, retry, timeout",
  error: (errors) => `لكل خطوة إعادات محاولة ومسارات أخطاء خاصة بها. عيّنها في لوحتها ضمن «${errors}».`,
};
