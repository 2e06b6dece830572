"""Upper bounds on the tokens of characters: the tables of memory/model/tokens.py."""

# Rows of punctuation that are one token, alone or after a space.
SIGNS = r"""
!! !!! !" != ") ")) "), "). "): "); ", "," ". ": ":" "; "] "]) "], "{ "} "}, && ') '); ', '. '; '] '` (" ("\ ('
(( ((" () ()) ())) ()); (), (). (): (); ()] ()` ()`. ()} (* (** ([ (_ (__ (` ({ )" )", )( )) ))) )), )). )): ));
), ). ): ); )] )]) )} ** */ ," -- --- ---- -------- -> ." .") .", .) .** ... ...." ._ .__ /* /** // /> />. ://
:: :\ :{ </ <= =" == ======== => >( >, >. >; >= ?" ?", ?: ?? [" [- [: [[ [] []) ]( ]) ]), ], ]. ]: ]; ]] ]]: __
__( __) `). `, `. `: ``` {{ || }" }") }", }) }, }. }: }; }\ }] }}
""".split()

# Rows of punctuation that are one token only after a space.
SIGNS_AFTER_A_SPACE = r"""
!= "" "", ", ". "\ ${ && (" (' (( () (* (__ (` ), ): ); ** *, */ += -- -> ... /* /** // << <= == === => >= [" [(
[* [] ], _: __ `' `. ``` {" {@ {} || }); }, };
""".split()

# Characters that are one token each; any other is two to four.
SINGLE_CHARACTERS = (
    "¡¢£¦§©«®°±¶·»¿ÁÂÃÅÇÉÍÓ×Üßàáâãäåæçèéêëìíîïðñòóôõöøùú"
    "ûüýþāăąćčđęěğīıłńōőŒœřśşšţūůźżžưșțɛˆΔαβγεθικλμνοπρστφωАБ"
    "ВГДЕЗИКЛМНОПРСТУФХЧЯабвгдежзийклмнопрстуфхцчшщъыьэюяёєії"
    "јњאבדהוחטיכלמנעפקרשתابةتجحخدرزسشصطعفقكلمنهوىيکیंकतनमरलसह"
    "ािीेैो्াනස්ාිอา้ကခငစညနပမရလာိုူေံ့း်ျြွှ၊ეი–—‘’“”•→、。「」あい"
    "うえおかがきくけこさしすせそただちっつてでとどなにのはばまみめもよらりるれわをんアィイウェエオカキクグコサシジス"
    "セタッテデトドパフブプムメュョラリルレロンー一万三上下不与专且业东两个中串临为主么义之乘也习书买了事二于云互五"
    "些交产京人什仅今从仓他付代令以们件价任份企优会传似但位体何余作你使例供依保信修個候値值假做停储像元充先光克入全公"
    "共关兴其具典内册再写决况准减几出击分切划列则初利别到制前剧割力功加务动助動包化北匹区十半华单南博占卡印即历原去县"
    "参及双反发取受变口古句只可台右号司合吉同名后向否含启告员周命品哈响商器四回因团围国图土在地场址均块型城域基報場填"
    "境处备変复外多大天太失头夹好如始子字存学宁它安完定实実客害家容密对导対将小少尔就尾局层屏展山峰川工左差己已市布"
    "带常平年并广庆序库应店度建开异式引张弹归当录形影径待很後得微德心必志态思性总息您情想意感戏成我或截户房所手才打执"
    "扩批找承技把投报拉拟择括持指按损换据掉排接控推描提換搜播支收改放政效教数整數文料断新方族旗无日时昌明易星映是显時"
    "普景曲更替最月有服期未本术机权束条来板林果查标栏树校样核根格框案档检楼概標模次止正此步武段母每比民水永求江池没河"
    "治法波注活流测海消深清游湖滑满滤点為热然照爬父片版牌物特状率王环现現理生用由申电画界略発登白百的监盘目直相省看真"
    "着知矩短石码确示社票离种科秒积称移程空突窗立站章端符第等答策签简算管箱类精系素索線练组细终经结绘给络统继续"
    "维编缩网罪置群老考者而联聚股育能自至致色节花若英范获菜藏行表被装西要见视览角解言計設计订认让训议记许论设访证识词"
    "试话询该详语误说请读课调象資负责败账质购费起超足距路跳身輸车转轮软轴载较辑输边达过近返还这进连迭述追退送选递通速"
    "造遍道那邮部都配采释里重量金针钮银链销错键长開間関门闭问间闻队防阳阵际陆院除随隔集零需青面音页项顺须预频题颜额首"
    "马验高黑默齒龙가값개게경고과구그기까나내는니다단당동되된드들라래량러력로료를리만면문미번보복부상색서성세수스습시"
    "식야어에여열오요용우으은을음의이인일입작장재정제지째터트하한할합해행호화환€和대사산주크"
)

# The cost of a letter after another one, in thirtieths of a token, base 36. A row is the letter before: the start of a
# word (plus a whole token), any capital, a to z. A column is the letter itself: any capital, a to z.
LETTERS_AFTER = """
090003000b01300a00400j70803
uuuuuuuuuuuuuuuuuuuuuuuuuuu
upbb9nl9knna9g6qhna97sjln9n
umnnnesssnuslssosunhsssssns
umskshssenshpssmsusnhssssmu
upuuuhuuupuuuuuuuuuhuuuuupu
usssesssssssqsesssiejssusss
umnnnhjnnpnnmononumnhsnnnnn
upuuuhupppuuuupquuupssuuuuu
umssshsosnuuosuosuoonsssuou
umkb6bg8npnnbe6kgnf66sdnnnb
upuunhuuuunuuuuqnuunusuuuuu
uptuugttpptptttotuuhpsttupu
umssmcsssnsslssmsusjjsssses
umnpp9ppunuppopmpuphpsppppu
upukhhuhupuuuusquuuhhuuuuss
upjh7nldnpnjbe5ohub7doljnln
umnnncnnhnuomonmmumhhsnnnnu
uunuunnuupuununuuuonnsuuuuu
ulqkodooqluqqqomouohhsqqqaq
upunuhuuluuuuuuqmuumeuuuuuu
uouuuhuuoputupuouutoutuuutu
upbjhenannnnbf5ohu934snnnnn
umqqqaqqqkqqqqqmquqqqsqqqnq
upnnnjnunnunnolonuonnuunnnu
upnnnnnnnpnnnonqluonnsnnnnn
utuuuuuuuuuuuuuuuuupuuuuuuu
upsssesssssssssssussssusssn
""".split()

# Pairs of first UTF-8 bytes that are one token: for each first byte, a bit for each second byte 0x80 to 0xBF.
PREFIXES = {
    0xE0: 0x000000000F03ABC0,
    0xE1: 0xDE000000000008F0,
    0xE2: 0xC2E10FDEF0080000,
    0xE3: 0xF000000000000000,
    0xE4: 0x00000000000000FF,
    0xE5: 0xFFFFDEDFFFC7F1FF,
    0xE6: 0xFDFFFFFFFFEFFFFF,
    0xE7: 0x7CFB9F7DFFFF7FFF,
    0xE8: 0xFDFFF35277F7FFBF,
    0xE9: 0xF5083FFDF6702076,
    0xEA: 0x000000000000FDC0,
    0xEB: 0x38359807D769BAC0,
    0xEC: 0x1EB007FE8900A040,
    0xED: 0x38292EE000000000,
    0xEF: 0x0000000000000080,
    0xF0: 0x0000FB97FFFE0000,
    0xF3: 0x0000000080000000,
}
