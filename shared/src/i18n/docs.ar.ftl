# The documentation at /docs.

docs-service = الفوترة الإلكترونية
docs-title = التوثيق
docs-navigation = التوثيق
docs-portal = البوابة
docs-portal-sandbox = البوابة، البيئة التجريبية
docs-portal-live = البوابة، البيئة الفعلية
docs-footer = نقطة وصول للفوترة الإلكترونية في دولة الإمارات. المرجع والأخطاء والقواعد بالإنجليزية.
docs-contents = في هذه الصفحة
docs-commands = أوامر
docs-answer = الرد
docs-setup = متغيرات
docs-languages = لغة البرمجة
docs-guides = الأدلة
docs-topic-start = البداية
docs-topic-send = إرسال المستندات
docs-topic-follow = المتابعة والاستلام
docs-topic-businesses = المنشآت
docs-topic-more = البوابة والأدوات والحدود
docs-reference = مرجع واجهة البرمجة (بالإنجليزية)
docs-operations = العمليات
docs-operations-about = كل عملية بحقولها وردودها، ويمكن تجربتها في البيئة التجريبية. بالإنجليزية.
docs-events = أحداث الويب هوك (بالإنجليزية)
docs-checks = الأخطاء والقواعد (بالإنجليزية)
docs-errors = رموز الأخطاء
docs-errors-about = معنى كل رمز، ومثال عليه، وكيفية تصحيحه. بالإنجليزية.
docs-rules = القواعد
docs-rules-about = كل قاعدة قد تذكرها ملاحظة، مع مثال وتصحيحه. بالإنجليزية.
docs-validator = المدقق
docs-validator-about = ملاحظات على أي مستند UBL وعلى JSON الخاص بالإرسال. بالإنجليزية.
docs-changes = التغييرات (بالإنجليزية)
docs-changelog = سجل التغييرات
docs-changelog-about = ما تغير في واجهة البرمجة. بالإنجليزية.
docs-start-title = إرسال الفواتير الإلكترونية واستلامها عبر واجهة برمجة
docs-start-lead = مستندات PINT-AE لدولة الإمارات العربية المتحدة. ترسل JSON عبر HTTP، فتحوله الخدمة إلى UBL صحيح وتسلمه وتبلغ عنه، ثم تُبلغك بالنتيجة بطلبات ويب هوك موقَّعة.
docs-search = بحث
docs-search-hint = بحث (اضغط /)
docs-search-nothing = لم يُعثر على شيء.
docs-search-empty = اكتب ما تبحث عنه: كلمة أو حقلا أو رمزا أو قاعدة.
docs-search-none = لم يُعثر على شيء. جرب كلمات أقل أو أقصر.
docs-search-found =
    { $count ->
        [zero] لا نتائج.
        [one] نتيجة واحدة.
        [two] نتيجتان.
        [few] { $count } نتائج.
        [many] { $count } نتيجة.
       *[other] { $count } نتيجة.
    }
docs-search-cut = عدد النتائج { $count }. تعرض الصفحة أول { $shown }.
docs-kinds = دليل,عملية,حدث,حقل,خطأ,قاعدة
docs-kind-guide = دليل
docs-kind-operation = عملية
docs-kind-event = حدث
docs-kind-field = حقل
docs-kind-error = خطأ
docs-kind-rule = قاعدة
docs-key-used = تستخدم الأمثلة مفتاح البيئة التجريبية الخاص بك. لا يحتفظ به إلا تبويب المتصفح هذا.
docs-key-forget = نسيان المفتاح
keys-use-in-docs = استخدامه في التوثيق
keys-use-in-docs-hint = يعرض التوثيق عندئذ أمثلته بمفتاح البيئة التجريبية هذا. لا يحتفظ بالمفتاح إلا تبويب المتصفح هذا، حتى تغلقه أو تضغط «نسيان المفتاح».
