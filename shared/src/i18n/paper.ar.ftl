
# The logo of a business on its invoices.
logo-title = الشعار على الفواتير
logo-text = تعرض فواتيرك وإشعاراتك الدائنة هذا الشعار بدلًا من الحرف الأول من اسمك.
logo-none = تعرض فواتيرك الحرف الأول من اسمك. ارفع شعارًا ليظهر بدلًا منه.
logo-has = تعرض فواتيرك شعارك.
logo-current = شعارك
logo-alt = شعار منشأتك
logo-file = الصورة
logo-file-hint = صورة PNG أو JPEG، بحجم 1 ميغابايت على الأكثر و{ $most } بكسل لكل ضلع على الأكثر. الصور العريضة هي الأنسب.
logo-upload = رفع الشعار
logo-replace = استبدال الشعار
logo-remove = إزالة الشعار
logo-change = تغيير الشعار
logo-saved = تم حفظ الشعار. تعرضه المستندات من الآن، بما فيها السابقة.
logo-removed = تمت إزالة الشعار.
logo-missing = اختر صورة.
logo-too-large = حجم الملف أكبر من 1 ميغابايت. اختر ملفًا أصغر.
logo-wrong-type = الملف ليس PNG ولا JPEG. احفظ الصورة بصيغة PNG واختر ذلك الملف.
logo-too-many-pixels = عدد بكسلات الصورة كبير جدًا. صغّر الصورة واخترها مجددًا.
logo-unreadable = الصورة تالفة. احفظها مجددًا بصيغة PNG واختر ذلك الملف.

# The page behind the QR code of an invoice.
verify-title = أرسلت هذه الخدمة هذا المستند
verify-title-failed = لم يُسلَّم هذا المستند
verify-title-sandbox = مستند تجريبي وليس فاتورة
verify-text = تعرف هذه الخدمة مستندًا بهذه البيانات.
verify-sandbox = هذا مستند تجريبي من بيئة الاختبار، وليس فاتورة.
verify-issued = تاريخ الإصدار
verify-seller = البائع
verify-trn = رقم التسجيل الضريبي
verify-total = الإجمالي شاملًا الضريبة
verify-sent = أُرسل بهذه الخدمة
verify-state = الحالة
verify-since = منذ
verify-compare = قارن هذه البيانات بالورقة التي لديك. إذا اختلفت، فقد جرى تغيير الورقة. اسأل البائع.
verify-unknown-title = هذا الرابط لا يثبت أي مستند
verify-unknown-text = لم ترسل هذه الخدمة مستندًا بهذا الرابط. امسح رمز الاستجابة السريعة مجددًا. إذا كانت النتيجة نفسها، فاسأل البائع هل الورقة أصلية.

# شعار منشأة في بوابة المؤسسات
logo-of-business-set = تحديد الشعار
logo-of-business-text = تعرض فواتير { $name } وإشعاراتها الدائنة هذا الشعار بدلًا من الحرف الأول من الاسم. ترى المنشأة التغيير في حسابها.
logo-of-business-current = الشعار الحالي
