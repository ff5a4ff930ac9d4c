
# بوابة المؤسسات
not-allowed-title = دورك لا يسمح بذلك
not-allowed-text = اطلب من أحد مالكي مؤسستك القيام بذلك، أو منحك دورًا آخر.
actions = الإجراءات
status = الحالة
time = الوقت (الإمارات)
never-used = لم يُستخدم
save = حفظ
filter = عرض
filter-from = من يوم (الإمارات)
filter-to = إلى يوم (الإمارات)
secret-once = انسخه الآن واحفظه حيث يجده برنامجك: يُعرض هذه المرة فقط. إذا فقدته فأنشئ غيره.
switch-none-title = مؤسستك ليست هناك
switch-none-text = أُعدّت في وضع واحد فقط. اطلب من مشغّل هذه الخدمة إعدادها في الوضع الآخر أيضًا.
overview-title = نظرة عامة

# الأعضاء
members-title = الأعضاء
members-intro = من كان عضوًا فهو عضو في البيئة الفعلية والبيئة التجريبية معًا.
members-role = الدور
members-since = عضو منذ
members-you = (أنت)
members-invited = دُعي في { $date }
members-change = تغيير
members-change-role = تغيير الدور
members-remove = إزالة
members-remove-hint = يُسجَّل خروجه من كل مكان فورًا. ويبقى ما أنشأه هذا العضو، مثل المفاتيح.
members-invite-title = دعوة شخص
members-invite = إرسال دعوة
members-done-invited = أُرسلت الدعوة.
members-done-changed = تم تغيير الدور.
members-done-removed = تمت إزالة العضو.
members-refused-member = هذا العنوان عضو بالفعل. لتغيير الدور استخدم القائمة.
members-refused-full = بلغت مؤسستك الحد الأقصى لعدد الأعضاء.
members-refused-last-owner = تحتاج مؤسستك إلى مالك. اجعل شخصًا آخر مالكًا أولًا.
members-refused-often = أرسلت كل ما يمكن إرساله من دعوات في يوم واحد.
members-refused-changed = غيّر شخص آخر هذا العضو في اللحظة نفسها. انظر إلى القائمة مرة أخرى.
members-refused-role = اختر دورًا.
role-owner-may = يمكنه القيام بكل شيء، وتحديد الأعضاء
role-developer-may = المفاتيح والتطبيقات والويب هوك والمستندات وسجل التدقيق
role-billing-may = الاشتراك والاستخدام
role-viewer-may = يطّلع على المنشآت والمستندات والأحداث

# مفاتيح واجهة البرمجة
keys-title = مفاتيح واجهة البرمجة
keys-intro = يرسل برنامجك مفتاحًا مع كل طلب. مفاتيح البيئة الفعلية والبيئة التجريبية مختلفة.
keys-none = لا يوجد مفتاح بعد.
keys-label = التسمية
keys-label-hint = الغرض منه، مثل اسم نظام
keys-label-wrong = أدخل تسمية من 1 إلى 200 حرف في سطر واحد.
keys-created = أُنشئ في
keys-used = آخر استخدام
keys-active = فعّال
keys-revoked = ملغى
keys-revoke = إلغاء
keys-revoke-hint = سيُرفض الطلب التالي به. لا يمكن التراجع عن ذلك.
keys-revoke-now = إلغاء هذا المفتاح
keys-done-revoked = تم إلغاء المفتاح.
keys-make-title = إنشاء مفتاح
keys-make = إنشاء مفتاح
keys-new = مفتاحك الجديد

# عملاء OAuth
clients-title = الإعدادات (OAuth)
clients-intro = بواسطة العميل يطلب تطبيقك من المنشآت الوصول إلى مستنداتها.
clients-none = لا يوجد عميل بعد.
clients-new = سر العميل
clients-name = الاسم
clients-name-hint = تراه المنشآت عندما يُطلب منها الإذن.
clients-scopes = يمكنه طلب
clients-redirects = عناوين إعادة التوجيه
clients-redirects-hint = عنوان في كل سطر، تمامًا كما يرسله تطبيقك. https فقط؛ وفي البيئة التجريبية http على جهازك أيضًا.
clients-change-redirects = تغيير عناوين إعادة التوجيه
clients-done-redirects = تم تغيير عناوين إعادة التوجيه.
clients-rotate = تغيير السر
clients-rotate-hint = تحصل على سر جديد. ويعمل السر السابق { $hours ->
    [one] ساعة واحدة
    [two] ساعتين
    [few] { $hours } ساعات
   *[other] { $hours } ساعة
} أخرى لتتمكن من تغييره في كل مكان.
clients-leaked = يعرف السر شخص آخر: يجب أن يتوقف عن العمل الآن
clients-rotate-now = إنشاء سر جديد
clients-old-secret = يعمل السر السابق حتى
clients-make-title = إنشاء عميل
clients-make = إنشاء عميل

# المنشآت المرتبطة
taxpayers-title = المنشآت
taxpayers-intro = المنشآت التي منحت مؤسستك حق الوصول.
taxpayers-none = لم تمنحك أي منشأة حق الوصول بعد. اربط منشأة عبر OAuth بأحد عملائك.
taxpayers-name = المنشأة
taxpayers-since = مرتبطة منذ
taxpayers-grants = الأذونات
taxpayers-participant = المشارك في شبكة Peppol
taxpayers-give-up = التنازل
taxpayers-give-up-hint = يتوقف فورًا كل ما يستخدم هذا الإذن، وتبقى أذوناتك الأخرى على المنشأة. لا يمكن التراجع عن ذلك: على المنشأة أن توافق من جديد.
taxpayers-give-up-last-hint = هذا آخر إذن لك على هذه المنشأة: لن ترى منها شيئًا ولن ترسل باسمها بعد ذلك، ويصبح مقعدها في البيئة الفعلية شاغرًا. لا يمكن التراجع عن ذلك: على المنشأة أن توافق من جديد.
taxpayers-give-up-now = التنازل عن هذا الإذن
taxpayers-done-given-up = تم التنازل عن الإذن.
taxpayer-status-onboarding = قيد التسجيل
taxpayer-status-active = فعّالة
taxpayer-status-reverification = عليها تأكيد بياناتها
taxpayer-status-suspended = موقوفة
taxpayer-status-deregistered = ملغى تسجيلها
taxpayer-status-unknown = حالة أخرى

# الفوترة
billing-title = الاشتراك
billing-active = اشتراكك فعّال.
billing-none = لا يوجد اشتراك فعّال: لا يمكن إرسال أي شيء في البيئة الفعلية ولا ربط أي منشأة.
billing-stale = تعذّر تأكيد اشتراكك مؤخرًا. نواصل المحاولة.
billing-in-use = المنشآت المرتبطة
billing-seats = المنشآت المدفوعة
billing-any-number = أي عدد
billing-confirmed = تم التأكيد
billing-usage = تُحاسب على المستندات التي ترسلها في البيئة الفعلية وفق عقدك.
billing-days = مستندات آخر 30 يومًا
billing-days-intro = عدد المستندات التي أُرسلت واستُلمت بحسب ما أُبلغت به مؤسستك، في كل يوم بتوقيت الإمارات قُبلت أو استُلمت فيه.
billing-days-billed = تُحاسب على ما لدى مزوّد الفوترة، وهو يحصي بنفسه.
billing-days-all = جميع الأيام
billing-sent = المرسلة
billing-received = المستلمة
billing-sandbox = البيئة التجريبية مجانية.
billing-sent-today = المستندات المرسلة اليوم (UTC)
billing-quota = الحد الأقصى للمستندات في اليوم

# سجل التدقيق
audit-title = سجل التدقيق
audit-intro = من غيّر ماذا مما يحدد من يتصرف نيابة عن من. لا تُغيَّر القيود ولا تُزال أبدًا.
audit-action = ماذا
audit-every = كل شيء
audit-actor = من
audit-subject = على ماذا
audit-from = من أين
audit-none = لا يوجد قيد كهذا.
audit-operator = مشغّل هذه الخدمة
audit-national-portal = البوابة الضريبية الوطنية

# رسائل الأعضاء
mail-invited-subject = دعوة للانضمام إلى مؤسسة
mail-invited-text = دُعيت لتكون عضوًا في { $organization } ضمن خدمة الفوترة الإلكترونية لدينا.
mail-invited-how = للقبول، سجّل الدخول هناك بعنوان البريد الإلكتروني هذا. لا حاجة إلى كلمة مرور:
mail-invited-not-you = إذا كنت لا تعرف هذه المؤسسة فلا تفعل شيئًا.
mail-endpoint-disabled-subject = عُطّلت نقطة استقبال للويب هوك
mail-endpoint-failing-text = لم تستلم نقطة استقبال الويب هوك الخاصة بك { $url } شيئًا مما أرسلناه إليها منذ خمسة أيام، فعطّلناها.
mail-endpoint-gone-text = أجابت نقطة استقبال الويب هوك الخاصة بك { $url } بأنها لم تعد موجودة (410)، فعطّلناها.
mail-endpoint-disabled-now = لن يُرسل إليها شيء حتى تعيد تفعيلها. ويبقى ما يحدث في هذه الأثناء محفوظًا 30 يومًا، ويمكن إرساله من جديد.

keys-none-text = أنشئ مفتاحًا أدناه ليتمكن برنامجك من إرسال أول مستند.
clients-none-text = أنشئ عميلًا أدناه لتتمكن المنشآت من الارتباط بتطبيقك.
taxpayers-none-text = عندما توافق منشأة على تطبيقك تظهر هنا.
audit-none-text = اختر شيئًا آخر للبحث عنه.

# الويب هوك
webhooks-title = الويب هوك
webhooks-intro = نخبر برنامجك بما يحدث بطلبات موقّعة إلى عناوينك.
webhooks-none = لا توجد نقطة استقبال بعد
webhooks-none-text = أنشئ واحدة أدناه وأرسل إليها حدثًا تجريبيًا.
webhooks-endpoint = نقطة الاستقبال
webhooks-url = العنوان
webhooks-url-hint = https، مثل https://example.com/hooks
webhooks-description = الوصف (اختياري)
webhooks-described = الوصف
webhooks-types = أنواع الأحداث
webhooks-types-hint = لا تختر شيئًا لتصلك كل الأنواع، ومنها المستقبلية.
webhooks-every-type = كل الأنواع
webhooks-every-business = كل المنشآت
webhooks-make-title = إنشاء نقطة استقبال
webhooks-make = إنشاء نقطة استقبال
webhooks-new = سر التوقيع لنقطة الاستقبال الجديدة
webhooks-look-at = افتح نقطة الاستقبال وأرسل إليها حدثًا تجريبيًا
webhooks-enabled = مفعّلة
webhooks-failing = تتعثر
webhooks-disabled = معطّلة
webhooks-disabled-failing = معطّلة: تعثرت أيامًا
webhooks-disabled-gone = معطّلة: أفادت بأنها أُزيلت
webhooks-failing-since = تتعثر منذ
webhooks-disabled-since = معطّلة منذ
webhooks-new-secret = سر التوقيع الجديد
webhooks-test-title = تجربة
webhooks-test-hint = الحدث التجريبي موقّع كغيره ويحمل test: true، ولا يغيّر شيئًا.
webhooks-test-event = الحدث
webhooks-test = إرسال حدث تجريبي
webhooks-simulate-accepted = document.reported، مقبول
webhooks-simulate-rejected = document.reported، مرفوض
webhooks-simulate-failed = document.reported، فشل
webhooks-retry-failed = إعادة إرسال ما فشل منذ ذلك الوقت
webhooks-retry-delivered = وما سُلِّم أيضًا (بمعرّف webhook-id نفسه)
webhooks-verify-title = تحقق من أن الطلب منا
webhooks-verify-hint = جاهز للنسخ. تحقق من المحتوى كما وصل قبل قراءته.
webhooks-change-title = تغيير نقطة الاستقبال
webhooks-change = عنوانها وأنواع أحداثها ومنشآتها
webhooks-takes = تستقبل الأحداث
webhooks-rotate-hint = تحصل على سر جديد. ويوقّع كلاهما { $hours ->
    [one] ساعة واحدة
    [two] ساعتين
    [few] { $hours } ساعات
   *[other] { $hours } ساعة
} لتتمكن من تغييره دون أن تفقد شيئًا.
webhooks-delete = حذف نقطة الاستقبال
webhooks-delete-hint = لن يُسلَّم ما ينتظرها. لا يمكن التراجع عن ذلك.
webhooks-delete-now = حذف نقطة الاستقبال هذه
webhooks-done-deleted = تم حذف نقطة الاستقبال.
webhooks-done-changed = تم تغيير نقطة الاستقبال.
webhooks-done-test = وُضع الحدث التجريبي قيد الإرسال. ترى أدناه ما آل إليه.
webhooks-done-retried = أُعيد وضع ما فشل قيد الإرسال.
webhooks-done-more = أُعيد وضع ما عُثر عليه أولًا قيد الإرسال. هناك المزيد للبحث فيه: تابع.
webhooks-done-none = لم يكن هناك ما يُعاد إرساله.
webhooks-retry-since = الأحداث منذ (بتوقيت الإمارات)
webhooks-retry-rest = متابعة الباقي
webhooks-since-wrong = اذكر منذ متى يُعاد إرسال الأحداث: يومًا ووقتًا.
deliveries-title = عمليات التسليم
deliveries-none = لم يُرسل إليها شيء بعد.
deliveries-further = لا شيء في هذه الصفحة. تستمر القائمة بما هو أقدم.
deliveries-last = آخر رد
deliveries-attempts = المحاولات
delivery-title = تسليم
delivery-pending = ينتظر
delivery-delivering = في الطريق
delivery-failing = يتعثر
delivery-delivered = سُلِّم
delivery-failed = فشل
delivery-unknown = حالة أخرى
delivery-next = المحاولة التالية
delivery-retry = المحاولة الآن
delivery-again = إعادة الإرسال
delivery-no-attempts = لم تجر أي محاولة بعد.
delivery-done-retried = أُعيد وضع الحدث قيد الإرسال. تبيّن المحاولات أدناه ما آل إليه.
delivery-not-retried-title = لم تتم إعادة الإرسال
delivery-not-retried-text = نقطة الاستقبال معطّلة، أو تجري محاولة الآن. انظر إلى نقطة الاستقبال.
attempt-request = الترويسات المرسلة
attempt-answer = الرد
attempt-answer-empty = لا محتوى في الرد.
attempt-answer-owners = يرى المالكون ما ردّت به نقطة الاستقبال.
attempt-answer-cut = مختصر. تجد المزيد عبر واجهة البرمجة:

# الأحداث
events-title = الأحداث
events-intro = ما عرفته مؤسستك في آخر 30 يومًا، سواء استقبلته نقطة استقبال أم لا.
events-type = النوع
events-document = المستند
events-test = تجريبي
events-none = لا توجد أحداث كهذه
events-none-text = تأتي الأحداث عند إرسال المستندات أو استلامها، وعند ارتباط المنشآت.
event-body = المُرسَل
event-body-cut = مختصر.
event-body-whole = تنزيله كاملًا
event-send-to = نقطة استقبال لم يُرسل إليها قط
event-send = إرساله إليها
event-no-deliveries = لم تكن أي نقطة استقبال لتستلمه.
event-endpoint-deleted = محذوفة

# نظرة عامة
overview-attention = انظر إلى هذه أولًا
overview-awaited = ردود منتظرة
overview-awaited-intro = ما يجب أن يصل أولًا يأتي أولًا، مع الوقت الذي يجب أن يصل قبله.
overview-awaits-status = حالة من نقطة وصول المستلم
overview-awaits-verdict = رد الهيئة على التقرير
overview-overdue = متأخر
overview-days = مستندات آخر 14 يومًا
overview-days-intro = ما آلت إليه المستندات التي قُبلت أو استُلمت في كل يوم. المستند الذي أُرسل وسُلّم وأُبلغ عنه يُحسب في الثلاثة.
overview-day = اليوم
overview-all-events = كل الأحداث
overview-first-steps = الخطوات الأولى
overview-step-key = أنشئ مفتاح واجهة برمجة لبرنامجك
overview-step-webhook = أنشئ نقطة استقبال وأرسل إليها حدثًا تجريبيًا
overview-step-client = أنشئ عميل OAuth واربط منشأة
overview-step-done = تم

# أين سجّل العضو الدخول
member-sessions-title = جلساتي
member-sessions-intro = أين سجّلت الدخول بعنوان { $email } في هذا الوضع.
member-session-ended = تم إنهاء الجلسة.
member-sign-out-everywhere-text = يُنهي كل جلساتك في هذه المؤسسة وهذا الوضع، ومنها هذه الجلسة.

# المنشآت التي تسمع عنها نقطة الاستقبال
webhooks-taxpayers-hint = لا تختر شيئًا لتسمع عن كل منشأة منحت مؤسستك حق الوصول، ومنها المستقبلية.
webhooks-taxpayers-ids = المعرّفات (taxpayer_id)، معرّف في كل سطر
webhooks-taxpayers-wrong = أحد معرّفات المنشآت غير صحيح. يبدأ كل معرّف بـ txpay_ ويكون في سطر مستقل.
webhooks-taxpayers-many = تقتصر نقطة الاستقبال على 100 منشأة كحد أقصى. اذكر عددًا أقل، أو لا تذكر شيئًا لتسمع عن الجميع.

# سبب عدم التنفيذ، حيث تقوله حالات الاستخدام بالإنجليزية
refused-client-name = اسم العميل من 1 إلى 100 حرف في سطر واحد.
refused-client-scopes = العميل الذي لا يمكنه طلب شيء لا يربط أحدًا: اختر ما يمكنه طلبه.
refused-client-limit = بلغت مؤسستك الحد الأقصى لعدد العملاء.
refused-redirects = للعميل من 1 إلى 20 عنوان إعادة توجيه.
refused-redirect-long = عنوان إعادة التوجيه { $value } طويل جدًا.
refused-redirect-absolute = عنوان إعادة التوجيه { $value } ليس عنوانًا كاملًا بصيغته المعتادة، مثل https://app.example/callback.
refused-redirect-https = يجب أن يبدأ عنوان إعادة التوجيه { $value } بـ https://، أو في البيئة التجريبية بـ http:// على جهازك.
refused-redirect-fragment = يجب ألا يحتوي عنوان إعادة التوجيه { $value } على #.
refused-redirect-user = يجب ألا يحتوي عنوان إعادة التوجيه { $value } على اسم مستخدم أو كلمة مرور.
refused-webhook-url = لا يمكن الإرسال إلى هذا العنوان. يجب أن يبدأ بـ https:// وأن يقود إلى عنوان عام يمكن العثور عليه، دون اسم مستخدم أو كلمة مرور.
refused-endpoint-limit = بلغت مؤسستك الحد الأقصى لعدد نقاط الاستقبال. احذف واحدة أولًا.
refused-endpoint-disabled = نقطة الاستقبال معطّلة ولا تستقبل شيئًا. فعّلها أولًا.
refused-version = غيّر شخص آخر نقطة الاستقبال في هذه الأثناء. انظر إليها من جديد ثم غيّرها.
refused-import-column = أسماء الأعمدة غير صحيحة.
refused-import-documents = يضم الاستيراد 10,000 مستند على الأكثر. استورد الملف على أجزاء.
refused-import-empty = لا مستند في الملف.
refused-import-gzip = الملف المضغوط بـ gzip غير كامل.
refused-import-quotes = توجد علامة اقتباس غير مغلقة. تُكتب كل علامة داخل قيمة مقتبسة مرتين.
refused-import-row = تعذّرت قراءة أحد الصفوف.
refused-import-size = حجم الملف أكثر من 64 ميغابايت. استورده على أجزاء.
refused-import-utf8 = ترميز الملف ليس UTF-8. احفظه بترميز UTF-8.
refused-subscription = تتطلب المستندات الفعلية اشتراكًا ساريًا.
refused-billing-unknown = لا يُعرف في الوقت الحالي ما إذا كان الاشتراك ساريًا. حاول مجددًا لاحقًا.
refused-queued-delivery = يتطلب الاستيراد التسليم عبر قائمة الانتظار، وهو غير مفعّل هنا.

# Imports
imports-title = الاستيراد
imports-intro = مستندات كثيرة لـ { $business } في ملف واحد. يُفحص كل مستند ويُرسل كغيره، والملف نفسه لا يُرسل شيئًا مرتين.
imports-make-title = استيراد ملف
imports-kind = نوع المستند
imports-file = الملف
imports-file-hint = ملف CSV أو JSON Lines فيه حتى { $most } مستند وحجمه حتى 4 ميغابايت، وإذا كان مضغوطًا بـ gzip فحتى 64 ميغابايت قبل الضغط.
imports-drop = يمكنك أيضًا إسقاط الملف هنا، ولا يُرسل شيء بذلك.
imports-drop-many = يُرجى إسقاط ملف واحد في كل مرة.
imports-make = عرض محتوى الملف
imports-check-title = راجع الملف ثم أرسله
imports-check-intro = هذا ما في الملف باسم { $business }. لم يُرسَل شيء بعد.
imports-check-read = ما قُرئ
imports-check-documents = المستندات
imports-check-rows = الصفوف
imports-check-faulty = مستندات فيها أخطاء
imports-check-partly = الملف طويل: فُحصت أول { $judged } من المستندات بجميع القواعد. قُرئت المستندات الأخرى وستُفحص عند إرسالها.
imports-check-sums = إجماليات المستندات الخالية من الأخطاء
imports-check-currency = العملة
imports-check-errors = الأخطاء
imports-check-errors-text = لا تُرسَل المستندات التي فيها أخطاء. صحّحها واستورد الملف من جديد: ما أُرسل لا يُرسَل مرتين. الأخطاء الأولى:
imports-check-row = الصف
imports-check-column = العمود
imports-check-error = الخطأ
imports-check-send = { $documents ->
    [one] إرسال مستند واحد
    [two] إرسال مستندين
    [few] إرسال { $documents } مستندات
    [many] إرسال { $documents } مستندًا
   *[other] إرسال { $documents } مستند
}
imports-check-other = اختيار ملف آخر
imports-check-hint = نحتفظ بالملف ساعة واحدة. بعدها اختره من جديد.
imports-gone-title = لم نعد نحتفظ بالملف
imports-gone-text = نحتفظ بالملف ساعة واحدة بعد اختياره. لم يُرسَل منه شيء. انتقل إلى صفحة الاستيراد واختره من جديد.
imports-done-begun = استُلم الملف وتُرسل مستنداته. تبيّن القائمة أدناه مدى التقدم.
imports-none = لم يُستورد شيء بعد
imports-none-text = ما تستورده برامجك وأعضاء مؤسستك لهذه المنشأة يظهر هنا لمدة 90 يومًا.
imports-begun = البداية
imports-progress = التقدم
imports-outcome = النتيجة
imports-accepted = أُرسل:
imports-already-sent = أُرسل من قبل:
imports-refused = رُفض:
imports-result = ملف النتائج
imports-download = تنزيل
imports-running = بعد إرسال الجميع
imports-failed = توقّف بسبب عطل في الخدمة. استورد الملف مرة أخرى: ما أُرسل لا يُرسل ثانية.
