# Documents written by hand.
write-title = فاتورة جديدة
write-credit-title = إشعار دائن جديد
write-intro = اكتب مستندًا لـ { $business }. لا يُرسَل شيء قبل الضغط على «إرسال».
write-begin-title = مستند جديد
write-begin-text = اختر المنشأة التي تُصدر المستند.
write-begin-none = لا توجد منشأة ترسل عنها
write-begin-none-text = تظهر المنشأة هنا عندما تسمح لمؤسستك بإرسال مستنداتها.
write-document = المستند
write-number = الرقم
write-issue-date = تاريخ الإصدار
write-issue-date-hint = إذا تُرك فارغًا فهو يوم الإرسال في الإمارات.
write-due-date = تاريخ الاستحقاق
write-currency = العملة
write-currency-hint = ثلاثة أحرف. إذا تُركت فارغة فهي AED.
write-rate = سعر الصرف إلى الدرهم
write-rate-hint = مطلوب إذا لم تكن العملة AED.
write-order = أمر الشراء لدى المشتري
write-credited = الفاتورة المقيَّد لها
write-original-kind = أين أُرسلت الفاتورة
write-original-ap = عبر هذه الخدمة
write-original-external = في مكان آخر
write-previous = معرّف مستند الفاتورة
write-previous-hint = لفاتورة أُرسلت عبر هذه الخدمة: يبدأ معرّفها بـ doc_.
write-original-number = رقم الفاتورة
write-original-hint = لفاتورة أُرسلت في مكان آخر.
write-original-date = تاريخ إصدار الفاتورة
write-reason = سبب الإشعار الدائن
write-buyer = المشتري
write-buyer-of = مشترٍ من فاتورة سابقة
write-buyer-fill = تعبئة
write-lookup = البحث عن المشتري برقم التعريف الضريبي
write-lookup-done = عُبّئت بيانات الطرف. راجعها.
write-lookup-no-tin = أدخل أولًا رقم التعريف الضريبي: عشرة أرقام في «العنوان الإلكتروني».
write-lookup-none = لا تعرف أي فاتورة سابقة ولا هذه الخدمة منشأة بهذا الرقم. أدخل بياناته.
write-buyer-none = اختر أولًا طرفًا سابقًا.
write-name = الاسم
write-tin = العنوان الإلكتروني
write-tin-hint = أول عشرة أرقام من رقم التسجيل الضريبي. إذا تُرك فارغًا فهو من الرقم أدناه.
write-trn = رقم التسجيل الضريبي
write-registration = رقم القيد
write-registration-type = نوع القيد
write-registration-tl = رخصة تجارية
write-registration-cl = ترخيص تجاري
write-registration-eid = الهوية الإماراتية
write-registration-pas = جواز سفر
write-registration-cd = قرار مجلس الوزراء
write-authority = جهة القيد
write-address = العنوان
write-city = المدينة
write-emirate = الإمارة أو المنطقة
write-emirate-hint = في الإمارات: AUH أو AJM أو DXB أو FUJ أو RAK أو SHJ أو UAQ.
write-country = الدولة
write-country-hint = حرفان. إذا تُركت فارغة فهي AE.
write-lines = البنود
write-lines-hint = يضم المستند هنا حتى { $most } بند. لبنود أكثر استورد ملفًا. تُحذف البنود الخالية من الوصف والرمز والكمية والسعر.
write-line = البند
write-line-name = الوصف
write-line-type = سلع أم خدمات
write-line-code = رمز النظام المنسق أو الخدمة
write-line-quantity = الكمية
write-line-unit = الوحدة
write-line-price = سعر الوحدة
write-line-vat = الضريبة
write-line-exemption = الإعفاء
write-more-lines = بنود أخرى
write-payment = الدفع والملاحظات
write-means = وسيلة الدفع
write-account = رقم الحساب IBAN
write-account-name = صاحب الحساب
write-bic = رمز البنك BIC
write-terms = شروط الدفع
write-note = ملاحظة
write-hidden = في هذا المستند قيم أخرى يحتفظ بها النموذج ولا يعرضها. اقرأها في المعاينة. الحقول:
write-totals = الإجماليات
write-due = المبلغ المستحق
write-ready = يمكن إرسال المستند.
write-warnings = يُرجى الانتباه
write-errors = { $count ->
    [zero] لا أخطاء
    [one] خطأ واحد يجب تصحيحه
    [two] خطآن يجب تصحيحهما
    [few] { $count } أخطاء يجب تصحيحها
    [many] { $count } خطأً يجب تصحيحه
   *[other] { $count } خطأ يجب تصحيحه
}
write-more-findings = { $count ->
    [zero] لا شيء آخر.
    [one] واحد آخر غير معروض.
    [two] اثنان آخران غير معروضين.
    [few] { $count } أخرى غير معروضة.
    [many] { $count } أخرى غير معروضة.
   *[other] { $count } أخرى غير معروضة.
}
write-send = إرسال
write-check = فحص
write-preview = معاينة
write-save = حفظ كمسودة
write-hint = النقر مرة ثانية على «إرسال» لا يرسل شيئًا مرتين.
write-has-errors = لم يُرسَل المستند. صحّح الأخطاء أدناه.
write-no-preview = لا توجد معاينة بعد. صحّح أولًا الأخطاء أدناه.
write-saved = حُفظت المسودة.
write-drafts = المسودات
write-drafts-intro = مستندات { $business } التي لم تُرسَل بعد.
write-drafts-most = يمكن حفظ حتى { $most } مسودة. تُحفظ المسودة 90 يومًا بعد آخر حفظ.
write-drafts-none = لا توجد مسودات
write-drafts-none-text = يحفظ زر «حفظ كمسودة» في النموذج المستند هنا.
write-drafts-full = لم تُحفظ المسودة لأن عدد المسودات بلغ الحد. احذف واحدة أولًا.
write-draft-large = لم تُحفظ المسودة لأنها كبيرة جدًا.
write-draft-saved = وقت الحفظ
write-draft-unnamed = بلا رقم
write-draft-delete = حذف
write-draft-deleted = حُذفت المسودة.
write-sent-title = الإرسال
write-sent-intro = مستند لـ { $business }.
write-sent-running = قيد الإرسال. تُحدَّث هذه الصفحة تلقائيًا.
write-sent-done = أُرسل
write-sent-refused = لم يُرسَل
write-sent-failed = توقّف بسبب خطأ في الخدمة. أرسل المستند مرة أخرى.
write-sent-why = سبب عدم إرسال المستند
write-another = كتابة مستند آخر
write-other-title = لا يمكن استخدام هذا المستند هنا
write-other-text = ينسخ النموذج المستندات التي أرسلتها المنشأة، ويُصدر إشعارات دائنة لفواتيرها، ويصحّح المستندات التي رُفضت أو لم تُسلَّم.
write-expired-title = انتهت صلاحية النموذج
write-expired-text = يمكن إرسال النموذج خلال سبعة أيام. لم يُرسَل شيء. ابدأ مستندًا جديدًا.
write-sample = إرسال فاتورة نموذجية


# Columns of imports with foreign headings.
columns-title = أعمدة الملف
columns-intro = عناوين { $name } غير معروفة. حدّد الحقل الذي يمثله كل عمود. لم يُرسَل شيء بعد.
columns-hint = اختر حقلًا لكل عنوان أو أدخله. الحقل الفارغ يستبعد العمود. نتذكر الحقول للملف التالي الذي له العناوين نفسها.
columns-use = فحص الملف
columns-mapped = حدّدت مؤسستك الحقل الذي يمثله كل عمود.
columns-change = عرض الأعمدة أو تغييرها
document-credit = إصدار إشعار دائن
document-correct = تصحيح وإعادة إرسال
document-copy = نسخ إلى مستند جديد
write-correction-title = تصحيح وإعادة إرسال
write-corrects = يصحّح هذا المستند { $document } ويحتفظ برقمه.
write-correct = صحّحه
write-sent-withdrawing = يجب أولًا أن تسحب الهيئة الضريبية تقرير المستند المرفوض. يستغرق ذلك بضع دقائق. ثم أرسل التصحيح مرة أخرى.

# الفوترة الذاتية
write-self-billed-title = فاتورة ذاتية جديدة
write-self-billed-credit-title = إشعار دائن ذاتي جديد
write-self-billed-hint = المنشأة هي المشتري، وتصدر المستند نيابةً عن البائع.
write-seller = البائع
write-seller-of = بائع فاتورة ذاتية سابقة
write-lookup-seller = البحث عن البائع برقم التعريف الضريبي
