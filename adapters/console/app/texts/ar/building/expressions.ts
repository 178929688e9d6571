import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages.ts";
import { quoted } from "../quoted.ts";

export const expressions: Messages["expressions"] = {
  variables: {
    input: "مدخلات عملية التشغيل.",
    steps: "الخطوات السابقة لهذه الخطوة، حسب المفتاح.",
    run: "عملية التشغيل: معرّفها وسير العمل والإصدار ومصدر البدء والوسوم والبيانات الوصفية.",
    app: "التطبيق: معرّفه واسمه.",
    now: "وقت جاهزية الخطوة.",
    iteration: "رقم التكرار، بدءًا من 1.",
    previous: "مخرجات التكرار السابق؛ null في التكرار الأول.",
    output: "مخرجات التكرار الحالي.",
    item: "عنصر القائمة.",
    index: "فهرس العنصر، بدءًا من 0.",
    error: "سبب فشل الخطوة.",
    event: "الحدث الذي وصل.",
  },
  modes: { value: "قيمة عادية", expression: "تعبير", auto: "تعبئة بواسطة نموذج" },
  modeOf: (label) => `طريقة تحديد ${quoted(label)}`,
  autoWish: "ما يجب أن يقدّمه النموذج",
  result: "النتيجة",
  inRun: (run) => `بقيم ${isolate(run)}`,
  noValue: (reason) => `لا توجد قيمة في عملية التشغيل هذه: ${isolate(reason)}`,
  noBraces: `هذا نص: يُكتب التعبير بين ${isolate("{{")} و ${isolate("}}")}.`,
  writeBraces: "اكتب",
  filledByModel: "يملأ نموذج هذا الحقل عند تنفيذ الخطوة.",
  pick: "إدراج قيمة",
  insert: (path) => `إدراج ${isolate(path)}`,
  copyPath: (path) => `نسخ ${isolate(path)}`,
  anything: "أي شيء",
};
