import pytest
@pytest.mark.parametrize("s,t,a",[
 ("contacts","list_companies",{"query":"a\x00"}),("contacts","get_company",{"company_id":"a\x00"}),("contacts","search_records",{"query":"\ud800"}),
 ("contacts","list_activities",{"since":"0001-01-01T00:00:00+14:00"}),("contacts","list_activities",{"since":"9999-12-31T23:59:59-14:00"}),
 ("contacts","list_activities",{"since":"20260302T"}),("contacts","list_deals",{"closes_from":"0001-01-01"}),("contacts","list_deals",{"min_amount":1e300}),
 ("contacts","list_deals",{"cursor":"WyI5OTk5LTEyLTMxVCIsICJ4Il0"}),("contacts","list_notes",{"cursor":"W251bGwsbnVsbCxudWxsXQ"}),
 ("billing","get_invoice",{"invoice_id":"x\x00"}),("billing","get_statement",{"customer_id":"cus_0001","from_date":"0001-01-01","to_date":"9999-12-31"}),
 ("billing","convert_amount",{"amount":999999999.99,"from_currency":"GBP","to_currency":"AUD"}),("billing","list_invoices",{"min_total":0.001}),
 ("billing","list_invoices",{"query":"%_\\"}),("billing","create_quote",{"customer_id":"cus_0001","lines":[{"product_id":"prd_0001","quantity":1}],"valid_until":"9999-12-31"}),
 ("contacts","create_deal",{"name":"x","company_id":"cmp_0001","amount":999999999.99,"close_date":"9999-12-31"}),
])
def test_x(play,s,t,a):
    print(t,a,str(play(s).call(s,t,**a))[:200])
